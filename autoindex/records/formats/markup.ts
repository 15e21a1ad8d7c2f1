import { type Handler, Parser } from "htmlparser2";

/** Elements open at once; beyond, the parser's time would grow with the square of the text. */
const MAX_OPEN = 1000;

/** What is told of the elements of a text as they come. */
export type MarkupHandler = Pick<Partial<Handler>, "onopentag" | "ontext" | "onclosetag">;

/** Markup of elements nested beyond the bound. */
export class NestingError extends Error {
  constructor() {
    super(`its elements are nested more than ${MAX_OPEN} deep`);
    this.name = "NestingError";
  }
}

/** Reads XML or HTML in one pass. Throws NestingError. */
export function parseMarkup(text: string, kind: "xml" | "html", handler: MarkupHandler): void {
  let open = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes, isImplied) {
        if (++open > MAX_OPEN) throw new NestingError();
        handler.onopentag?.(name, attributes, isImplied);
      },
      ontext: (piece) => handler.ontext?.(piece),
      onclosetag(name, isImplied) {
        open--;
        handler.onclosetag?.(name, isImplied);
      },
    },
    { xmlMode: kind === "xml" },
  );
  parser.write(text);
  parser.end();
}
