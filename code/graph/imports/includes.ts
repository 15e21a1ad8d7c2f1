import type { ImportBinding } from "./binding.js";
import { blankComments } from "./blank-comments.js";

const INCLUDE = /^[ \t]*#[ \t]*(?:include|import)[ \t]*[<"]([^>"\n]+)[>"]/gm;
const REQUIRE = /^[ \t]*(require|require_relative|load)[ \t(]+(["'])([^"'\n]+)\2/gm;

/** What a C, C++ or Objective-C file includes: all of a header. */
export function cIncludes(text: string): ImportBinding[] {
  return [...blankComments(text, "slashes").matchAll(INCLUDE)].map(([, path]) => all(path!));
}

/** What a Ruby file requires; `require_relative` is given its dot. */
export function rubyRequires(text: string): ImportBinding[] {
  return [...text.matchAll(REQUIRE)].map(([, verb, , path]) => {
    return all(verb === "require_relative" && !path!.startsWith(".") ? `./${path}` : path!);
  });
}

function all(module: string): ImportBinding {
  return { module, name: "*", alias: "*", isExported: true };
}
