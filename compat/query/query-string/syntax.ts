/** What a query string says, as a tree: Lucene's classic syntax read, nothing of it interpreted yet. */
export type Occur = "must" | "should" | "must_not";

/** A part of a group. */
export interface Clause {
  occur: Occur;
  readonly node: SyntaxNode;
}

/** `field`: the one that is named before the colon, undefined for the default fields. */
export type SyntaxNode = { readonly boost: number } & (
  | { readonly kind: "group"; readonly clauses: readonly Clause[] }
  | { readonly kind: "term"; readonly field: string | undefined; readonly text: string }
  | {
      readonly kind: "phrase";
      readonly field: string | undefined;
      readonly text: string;
      readonly slop: number | undefined;
    }
  /** With `*` and `?`; escapes are left as they are. */
  | { readonly kind: "pattern"; readonly field: string | undefined; readonly pattern: string }
  | { readonly kind: "regexp"; readonly field: string | undefined; readonly pattern: string }
  | { readonly kind: "range"; readonly field: string | undefined; readonly bounds: RangeBounds }
  /** `*:*` */
  | { readonly kind: "all" }
);

export interface RangeBounds {
  readonly gte?: string;
  readonly gt?: string;
  readonly lte?: string;
  readonly lt?: string;
}
