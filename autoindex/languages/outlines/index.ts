/** Languages that are read line by line, because there is no grammar for them or none that holds on real files. */
import type { LineRules } from "../line-rules.js";
import { cmake, dockerfile, groovy, make } from "./build.js";
import { coq, erlang, fsharp, gleam, lisp, ocamlInterface, prolog, scheme } from "./functional.js";
import { assembly, verilog, vhdl } from "./hardware.js";
import { graphql, protobuf, sqlRules, thrift } from "./schema.js";
import { ada, cobol, fortran, julia, matlab, pascal, visualBasic } from "./scientific.js";
import { awk, batch, d, fish, perl, tcl, vim } from "./scripts.js";
import { glsl } from "./shaders.js";
import { asciidoc, ini, latex, org, restructuredtext, scss } from "./text.js";

/** By the language's name, sorted. */
export const OUTLINES: Readonly<Record<string, LineRules>> = {
  ada,
  asciidoc,
  assembly,
  awk,
  batch,
  cmake,
  cobol,
  coq,
  d,
  dockerfile,
  erlang,
  fish,
  fortran,
  fsharp,
  gleam,
  glsl,
  graphql,
  groovy,
  ini,
  julia,
  latex,
  lisp,
  make,
  matlab,
  mercury: prolog,
  "ocaml-interface": ocamlInterface,
  org,
  pascal,
  perl,
  prolog,
  protobuf,
  restructuredtext,
  scheme,
  scss,
  sql: sqlRules,
  tcl,
  thrift,
  verilog,
  vhdl,
  vim,
  "visual-basic": visualBasic,
};
