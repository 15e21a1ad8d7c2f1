import type { Outline } from "../extract/model.js";
import { outlineText, type TextToRead, withWindows } from "../extract/outline.js";
import { Positions } from "../extract/positions.js";
import { type NotebookText, only, withoutMagics } from "../formats/notebook.js";
import { languageNamed } from "../languages/index.js";

/**
 * Declarations of a notebook's code and sections of its prose. Either is read from a text of the same length in which
 * all else is blank, so that every place is right as it is and a class may go on over cells.
 */
export async function outlineNotebook(text: TextToRead, notebook: NotebookText): Promise<Outline> {
  const code = await outlineText({
    ...text,
    positions: new Positions(withoutMagics(only(notebook.text, notebook.code))),
  });
  const prose = await outlineText({
    ...text,
    language: languageNamed("markdown") ?? text.language,
    positions: new Positions(only(notebook.text, notebook.prose)),
  });
  const declarations = [...prose.declarations, ...code.declarations].filter(({ kind }) => kind !== "window");
  const parsed = code.parsed === "windows" ? prose.parsed : code.parsed;
  return withWindows(text, { ...code, declarations: withoutTwins(declarations), parsed });
}

/** Documents are told apart by their range: a section that is a declaration's range and no more gives way to it. */
function withoutTwins(declarations: Outline["declarations"]): Outline["declarations"] {
  return [...new Map(declarations.map((one) => [`${one.start}-${one.end}`, one])).values()];
}
