/** Longest name kept; longer ones are test titles and template texts. */
const MAX_NAME = 200;

/** A declared name and the container it names itself: `Store::read` is `read` of `Store`. */
export interface SplitName {
  owner: string;
  name: string;
}

/** A name as written, without quotes, brackets and template arguments. */
export function splitName(written: string): SplitName {
  const plain = unquote(written.trim()).replace(/\s+/g, " ").slice(0, MAX_NAME);
  // The type that C++ converts to may itself have a container, and its parameters stand in the same node.
  const operator = /(?:^|::)(operator\W.*)$/.exec(plain);
  const at = operator?.index ?? plain.lastIndexOf("::");
  if (at < 0) return { owner: "", name: plain };
  const name = operator ? withoutParameters(operator[1]!) : plain.slice(at + 2).trim();
  const owner = plain
    .slice(0, at)
    .replace(/<[^>]*>/g, "")
    .replaceAll("::", ".");
  return { owner: owner.replace(/^\./, ""), name };
}

/** A string literal's content, a header's name between angle brackets; other text (the operator `<=>`) as it is. */
export function unquote(text: string): string {
  const quoted = /^(["'`])([\s\S]*)\1$/.exec(text) ?? /^(<)([^<>]*[\p{L}\p{N}][^<>]*)>$/u.exec(text);
  return quoted ? quoted[2]! : text;
}

/** `operator bool() const` is `operator bool`; the operator `()` keeps its name. */
function withoutParameters(name: string): string {
  return name.replace(/^(operator [^(]+?) ?\(.*$/, "$1");
}

/** The container that an owner expression stands for: `Foo.prototype` is `Foo`; what is no plain name is none. */
export function ownerName(written: string): string {
  const plain = written.replace(/\.prototype$/, "");
  if (/^(this|self|module|exports|module\.exports)$/.test(plain)) return "";
  return /^[\p{L}\p{N}_$.]{1,120}$/u.test(plain) ? plain : "";
}

/** Longest path of containers; below it names do not get longer, or depth would cost its square. */
const MAX_CONTAINER = 600;

/** Joins what is not empty with dots. */
export function qualify(...parts: string[]): string {
  const name = parts.at(-1)!;
  const container = parts
    .slice(0, -1)
    .filter((part) => part !== "")
    .join(".");
  return container === "" ? name : `${container.slice(0, MAX_CONTAINER)}.${name}`;
}
