/** Text of another language inside a file. */
export interface Embed {
  /** What opens it; `lang` names what the opening tag says of the language. Bounded, so that no text costs its square. */
  open: RegExp;
  close: string;
  /** Language by what the opening says, `""` for the rest. */
  languages: Readonly<Record<string, string>>;
  /** Put in place of the closing mark, so that pieces that are read together stay apart. */
  end: string;
}

const SCRIPT: Embed = {
  open: /<script\b(?:[^>]{0,300}?\blang\s{0,5}=\s{0,5}["']?(?<lang>\w+))?[^>]{0,300}>/gi,
  close: "</script",
  languages: { "": "javascript", ts: "typescript", typescript: "typescript", tsx: "tsx", jsx: "javascript" },
  end: "",
};

/** Ruby or Elixir between percent signs; what begins with another one or a hash is text. */
function template(language: string): Embed {
  return { open: /<%(?![%#!])[-=|]?/g, close: "%>", languages: { "": language }, end: ";" };
}

/** Languages that hold others, by name. */
export const EMBEDS: Readonly<Record<string, Embed>> = {
  eex: template("elixir"),
  erb: template("ruby"),
  html: SCRIPT,
  svelte: SCRIPT,
  vue: SCRIPT,
};
