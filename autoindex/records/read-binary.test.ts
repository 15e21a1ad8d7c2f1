import { strToU8, zipSync } from "fflate";
import { parquetWriteBuffer } from "hyparquet-writer";
import initSqlJs from "sql.js";
import { describe, expect, it } from "vitest";
import { binaryFormat, readBinaryRecords } from "./read-binary.js";

const packed = (parts: Record<string, string>) =>
  zipSync(
    Object.fromEntries(
      // The format wants its name to stand in the file as it is.
      Object.entries(parts).map(([name, text]) => [name, [strToU8(text), { level: name === "mimetype" ? 0 : 6 }]]),
    ),
  );

const WORKBOOK = {
  "[Content_Types].xml": "<Types/>",
  "xl/workbook.xml":
    '<workbook xmlns:r="x"><workbookPr/><sheets><sheet name="Stock" r:id="rId1"/><sheet name="Notes" r:id="rId2"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels":
    '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
  "xl/sharedStrings.xml":
    "<sst><si><t>sku</t></si><si><t>count</t></si><si><t>day</t></si><si><r><t>S</t></r><r><t>&amp;1</t></r></si></sst>",
  "xl/styles.xml":
    '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd/mm/yyyy hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>',
  "xl/worksheets/sheet1.xml":
    '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Our stock</t></is></c></row>' +
    '<row r="3"><c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c><c r="C3" t="s"><v>2</v></c><c r="D3" t="str"><v>sold</v></c></row>' +
    '<row r="4"><c r="A4" t="s"><v>3</v></c><c r="B4"><v>12.5</v></c><c r="C4" s="1"><v>45413</v></c><c r="D4" t="b"><v>1</v></c></row>' +
    '<row r="5"><c r="A5" t="str"><f>A1</f><v>S2</v></c><c r="B5" t="e"><v>#N/A</v></c><c r="C5" s="2"><v>45414.5</v></c></row></sheetData></worksheet>',
  "xl/worksheets/sheet2.xml":
    '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>just one</t></is></c></row></sheetData></worksheet>',
};

const ODS =
  '<office:document-content><office:body><office:spreadsheet><table:table table:name="Cities">' +
  '<table:table-row><table:table-cell office:value-type="string"><text:p>city</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>people</text:p></table:table-cell><table:table-cell office:value-type="string"><text:p>seen</text:p></table:table-cell></table:table-row>' +
  '<table:table-row><table:table-cell office:value-type="string"><text:p>New <text:span>York</text:span></text:p></table:table-cell><table:table-cell office:value-type="float" office:value="8.5"><text:p>8,5</text:p></table:table-cell><table:table-cell office:value-type="date" office:date-value="2024-05-01"><text:p>1. Mai</text:p></table:table-cell></table:table-row>' +
  '<table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="string" table:number-columns-repeated="1"><text:p>Oslo</text:p></table:table-cell><table:table-cell office:value-type="float" office:value="7"/><table:table-cell table:number-columns-repeated="16000"/></table:table-row>' +
  '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>' +
  "</table:table></office:spreadsheet></office:body></office:document-content>";

async function database(fill: string): Promise<Uint8Array> {
  const { Database } = await initSqlJs();
  const made = new Database();
  made.run(fill);
  const bytes = made.export();
  made.close();
  return bytes;
}

/** Records by part. */
async function read(bytes: Uint8Array) {
  const format = binaryFormat(bytes)!;
  const { datasets, note } = await readBinaryRecords(format, bytes);
  return { format, note, parts: Object.fromEntries(datasets.map(({ part, records }) => [part, records])) };
}

describe("files of records without a text", () => {
  it("Excel: shared and own texts, styles that are dates, rows above the header, several sheets", async () => {
    expect(await read(packed(WORKBOOK))).toEqual({
      format: "xlsx",
      note: "Stock: 1 row above the header was left out",
      parts: {
        Stock: [
          { sku: "S&1", count: 12.5, day: "2024-05-01", sold: true },
          { sku: "S2", day: "2024-05-02T12:00:00" },
        ],
      },
    });
  });

  it("OpenDocument: typed cells, repeated rows and the empty margin", async () => {
    const bytes = packed({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ODS });
    expect((await read(bytes)).parts).toEqual({
      Cities: [
        { city: "New York", people: 8.5, seen: "2024-05-01" },
        { city: "Oslo", people: 7 },
        { city: "Oslo", people: 7 },
      ],
    });
  });

  it("SQLite: every table, whatever its name; digits and bytes are kept", async () => {
    const bytes = await database(
      `CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, "a.b" BLOB, price REAL);
       INSERT INTO t VALUES (1,'ä',x'00ff',1.5),(9007199254740993,NULL,zeroblob(100),2);
       CREATE TABLE "odd ""name"(x) ; INSERT INTO "odd ""name" VALUES ('y');
       CREATE TABLE w(k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO w VALUES ('k',1);
       CREATE TABLE empty(x); CREATE VIEW v AS SELECT * FROM t;`,
    );
    expect(await read(bytes)).toMatchObject({
      format: "sqlite",
      parts: {
        t: [
          { id: 1, name: "ä", a_b: "00ff", price: 1.5 },
          { id: "9007199254740993", a_b: "(100 bytes)", price: 2 },
        ],
        'odd "name': [{ x: "y" }],
        w: [{ k: "k", v: 1 }],
      },
    });
  });

  it("SQLite with a write-ahead log is read as of its last checkpoint", async () => {
    const bytes = await database("CREATE TABLE t(a); INSERT INTO t VALUES (1);");
    bytes[18] = 2;
    bytes[19] = 2;
    expect((await read(bytes)).parts).toEqual({ t: [{ a: 1 }] });
  });

  it("Parquet", async () => {
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: "k", data: ["a", "b"], type: "STRING" },
        { name: "n", data: [1n, 2n ** 60n], type: "INT64" },
        { name: "at", data: [new Date("2024-01-01"), new Date("2024-01-02T03:04:05Z")], type: "TIMESTAMP" },
      ],
    });
    expect((await read(new Uint8Array(buffer))).parts).toEqual({
      "": [
        { k: "a", n: 1, at: "2024-01-01T00:00:00.000Z" },
        { k: "b", n: String(2n ** 60n), at: "2024-01-02T03:04:05.000Z" },
      ],
    });
  });

  it("a sheet of more rows than a function takes arguments", async () => {
    const rows = Array.from(
      { length: 200_000 },
      (_, at) => `<row><c t="str"><v>k${at}</v></c><c><v>${at}</v></c></row>`,
    );
    const sheet = `<worksheet><sheetData><row><c t="str"><v>key</v></c><c t="str"><v>n</v></c></row>${rows.join("")}</sheetData></worksheet>`;
    const { parts } = await read(packed({ ...WORKBOOK, "xl/worksheets/sheet2.xml": sheet }));
    expect(parts.Notes).toHaveLength(200_000);
    expect(parts.Notes![199_999]).toEqual({ key: "k199999", n: 199_999 });
  }, 60_000);

  it("anything else is none of them", () => {
    for (const bytes of [
      packed({ "a.txt": "x" }),
      new Uint8Array(),
      Buffer.from("PAR1"),
      Buffer.from("SQLite format 2\0"),
    ]) {
      expect(binaryFormat(bytes)).toBeUndefined();
    }
  });

  it("a part that would unpack to more than the bound is left out and told of", async () => {
    const bomb = packed({ ...WORKBOOK, "xl/worksheets/sheet2.xml": " ".repeat(140 * 1024 * 1024) });
    const { note, parts } = await read(bomb);
    expect(note).toContain("xl/worksheets/sheet2.xml was left out: it unpacks to 146800640 bytes");
    expect(Object.keys(parts)).toEqual(["Stock"]);
  });
});

describe("damaged files of records", () => {
  it("are read as far as they go, or told of, and end nothing", async () => {
    const files = [
      packed(WORKBOOK),
      packed({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": ODS }),
      await database(`CREATE TABLE t(a,b); ${"INSERT INTO t VALUES (1,'some text that fills pages');".repeat(300)}`),
      new Uint8Array(parquetWriteBuffer({ columnData: [{ name: "k", data: ["a", "b", "c"], type: "STRING" }] })),
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 1;
      return seed % below;
    };
    for (const file of files) {
      for (let round = 0; round < 60; round++) {
        const bytes = Uint8Array.from(file.subarray(0, round % 3 === 0 ? random(file.length) : file.length));
        for (let hit = 0; hit < 8 && bytes.length > 0; hit++) bytes[random(bytes.length)] = random(256);
        const format = binaryFormat(bytes);
        if (!format) continue;
        const { datasets, note } = await readBinaryRecords(format, bytes);
        expect(datasets.length > 0 || note !== "").toBe(true);
      }
    }
  }, 60_000);
});
