/**
 * Conditions: the expressions of Painless that pipelines of shippers use, with its precedence. No statements, loops or
 * assignments: an expression takes time that grows with the document alone. What is not known is refused by name.
 */
import { GroupPattern } from "../../../engine/index.js";
import { illegalArgument, notSupported } from "../../errors.js";
import { member } from "../../json/value.js";
import { type IngestDocument, METADATA_FIELDS } from "../document/ingest-document.js";
import { isValueObject, javaType, numberOf, type Value, type ValueObject } from "../document/values.js";
import { ConditionError, nullReference } from "./condition-error.js";
import { listItem, METHODS } from "./methods.js";
import { arithmetic, compare, equal, TYPES, truth } from "./operators.js";
import { type Token, tokensOf } from "./tokens.js";

/** What a condition is about. */
export interface ConditionScope {
  readonly document: IngestDocument;
  readonly params: ValueObject;
}

/** A part of a condition. */
export type Expression = (scope: ConditionScope) => Value;

const MAX_DEPTH = 200;
const WORDS: Readonly<Record<string, Value>> = { true: true, false: false, null: null };

/** Parses a condition. Throws ApiError 400. */
export function parseCondition(source: string): Expression {
  return new Parser(source).whole();
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(readonly source: string) {
    this.#tokens = tokensOf(source);
  }

  whole(): Expression {
    if (this.#next.kind === "name" && this.#next.text === "return") this.#at++;
    const expression = this.#ternary();
    this.#take(";");
    if (this.#next.kind !== "end") throw this.#refused();
    return expression;
  }

  get #next(): Token {
    return this.#tokens[this.#at];
  }

  #take(sign: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== "sign" || text !== sign) return false;
    this.#at++;
    return true;
  }

  #expect(sign: string): void {
    if (!this.#take(sign)) throw this.#refused();
  }

  #refused(): Error {
    const { text, kind } = this.#next;
    if (kind === "end") return illegalArgument(`the condition [${this.source}] ends too early`);
    return notSupported(`[${text}] in the condition [${this.source}]`);
  }

  #ternary(): Expression {
    if (++this.#depth > MAX_DEPTH)
      throw illegalArgument(`the condition [${this.source.slice(0, 50)}...] is nested too deeply`);
    const expression = this.#choice();
    this.#depth--;
    return expression;
  }

  #choice(): Expression {
    const condition = this.#or();
    if (this.#take("?:")) {
      const otherwise = this.#ternary();
      return (scope) => condition(scope) ?? otherwise(scope);
    }
    if (!this.#take("?")) return condition;
    const then = this.#ternary();
    this.#expect(":");
    const otherwise = this.#ternary();
    return (scope) => (truth(condition(scope)) ? then(scope) : otherwise(scope));
  }

  #or(): Expression {
    let left = this.#and();
    while (this.#take("||")) {
      const [one, other] = [left, this.#and()];
      left = (scope) => truth(one(scope)) || truth(other(scope));
    }
    return left;
  }

  #and(): Expression {
    let left = this.#equality();
    while (this.#take("&&")) {
      const [one, other] = [left, this.#equality()];
      left = (scope) => truth(one(scope)) && truth(other(scope));
    }
    return left;
  }

  #equality(): Expression {
    let left = this.#relation();
    for (;;) {
      const one = left;
      if (this.#take("==")) {
        const other = this.#relation();
        left = (scope) => equal(one(scope), other(scope));
      } else if (this.#take("!=")) {
        const other = this.#relation();
        left = (scope) => !equal(one(scope), other(scope));
      } else if (this.#take("==~")) left = this.#pattern(one, "whole");
      else if (this.#take("=~")) left = this.#pattern(one, "part");
      else return left;
    }
  }

  /** `=~ /pattern/`: found somewhere; `==~`: the whole text. */
  #pattern(on: Expression, extent: "whole" | "part"): Expression {
    const { kind, text } = this.#next;
    if (kind !== "regex") throw this.#refused();
    const close = text.lastIndexOf("/");
    const flags = text.slice(close + 1);
    if (!/^i?$/.test(flags)) throw notSupported(`flags [${flags}] of the regular expression [${text}]`);
    this.#at++;
    const written = text.slice(1, close).replaceAll("\\/", "/");
    const pattern = new GroupPattern(extent === "whole" ? `\\A(?:${written})\\z` : written, {
      dialect: "java",
      caseInsensitive: flags === "i",
    });
    return (scope) => {
      const value = on(scope);
      if (typeof value === "string") return pattern.find(value) !== null;
      if (value === null) throw new ConditionError("null_pointer_exception", "cannot match null");
      throw new ConditionError("class_cast_exception", `Cannot cast ${javaType(value)} to java.lang.CharSequence`);
    };
  }

  #relation(): Expression {
    const one = this.#sum();
    for (const sign of ["<=", ">=", "<", ">"]) {
      if (!this.#take(sign)) continue;
      const other = this.#sum();
      const holds = RELATIONS[sign];
      return (scope) => holds(compare(one(scope), other(scope), sign));
    }
    if (this.#next.kind !== "name" || this.#next.text !== "instanceof") return one;
    this.#at++;
    const type = member(TYPES, this.#next.text);
    if (type === undefined) throw this.#refused();
    this.#at++;
    return (scope) => type(one(scope));
  }

  #sum(): Expression {
    return this.#binary(["+", "-"], () => this.#binary(["*", "/", "%"], () => this.#unary()));
  }

  #binary(signs: readonly string[], operand: () => Expression): Expression {
    let left = operand();
    for (;;) {
      const sign = signs.find((one) => this.#take(one));
      if (sign === undefined) return left;
      const [one, other] = [left, operand()];
      left = (scope) => arithmetic(one(scope), other(scope), sign);
    }
  }

  #unary(): Expression {
    let negations = 0;
    while (this.#take("!")) negations++;
    if (negations > 0) {
      const of = this.#unary();
      const odd = negations % 2 === 1;
      return (scope) => truth(of(scope)) !== odd;
    }
    if (!this.#take("-")) return this.#postfix(this.#primary());
    const of = this.#postfix(this.#primary());
    return (scope) => arithmetic(0, of(scope), "-");
  }

  #primary(): Expression {
    const token = this.#next;
    if (this.#take("(")) {
      const inner = this.#ternary();
      this.#expect(")");
      return inner;
    }
    if (this.#take("[")) return this.#listLiteral();
    if (token.kind === "value") {
      this.#at++;
      return () => token.value;
    }
    if (token.kind !== "name") throw this.#refused();
    if (token.text === "ctx") {
      this.#at++;
      return ({ document }) => new Proxied(document) as never;
    }
    if (token.text === "params") {
      this.#at++;
      return ({ params }) => params;
    }
    if (!Object.hasOwn(WORDS, token.text)) throw this.#refused();
    this.#at++;
    return () => WORDS[token.text];
  }

  #listLiteral(): Expression {
    const items = this.#until("]");
    return (scope) => items.map((item) => item(scope));
  }

  #until(close: string): Expression[] {
    const items: Expression[] = [];
    while (!this.#take(close)) {
      if (items.length > 0) this.#expect(",");
      items.push(this.#ternary());
    }
    return items;
  }

  #postfix(start: Expression): Expression {
    let on = start;
    for (;;) {
      if (this.#take("[")) {
        const [of, key] = [on, this.#ternary()];
        this.#expect("]");
        on = (scope) => itemOf(of(scope), key(scope));
        continue;
      }
      const safe = this.#take("?.");
      if (!safe && !this.#take(".")) return on;
      on = this.#member(on, safe ? "null safe" : "not null");
    }
  }

  #member(on: Expression, nulls: "null safe" | "not null"): Expression {
    const { kind, text: name } = this.#next;
    if (kind !== "name" && !(kind === "value" && /^\d+$/.test(name))) throw this.#refused();
    const token = this.#at++;
    if (!this.#take("(")) {
      return (scope) => {
        const value = on(scope);
        return value === null && nulls === "null safe" ? null : memberOf(value, name);
      };
    }
    const given = this.#until(")");
    const method = member(METHODS, name);
    if (method === undefined || !method.takes.includes(given.length)) {
      this.#at = token;
      throw this.#refused();
    }
    return (scope) => {
      const value = on(scope);
      if (value === null) {
        if (nulls === "null safe") return null;
        throw nullReference(name);
      }
      return method.call(
        plain(value),
        given.map((one) => one(scope)),
      );
    };
  }
}

const RELATIONS: Readonly<Record<string, (order: number) => boolean>> = {
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** `ctx`: the source and the metadata in one, made only where it is asked for as a whole. */
class Proxied {
  constructor(readonly document: IngestDocument) {}

  field(name: string): Value {
    const { metadata, source } = this.document;
    return member(METADATA_FIELDS.includes(name) ? metadata : source, name) ?? null;
  }
}

function plain(value: Value): Value {
  const whole: unknown = value;
  return whole instanceof Proxied ? { ...whole.document.source, ...whole.document.metadata } : value;
}

function memberOf(value: Value, name: string): Value {
  const whole: unknown = value;
  if (whole instanceof Proxied) return whole.field(name);
  if (value === null) throw nullReference(name);
  if (isValueObject(value)) return member(value, name) ?? null;
  if (Array.isArray(value)) {
    if (/^\d+$/.test(name)) return listItem(value, Number(name));
    if (name === "length") return value.length;
  }
  throw new ConditionError("illegal_argument_exception", `dynamic getter [${javaType(value)}, ${name}] not found`);
}

function itemOf(value: Value, key: Value): Value {
  if (Array.isArray(value) && numberOf(key) !== undefined) return listItem(value, key);
  if (typeof key === "string") return memberOf(value, key);
  if (value === null) throw nullReference("[]");
  throw new ConditionError("class_cast_exception", `Cannot look up ${javaType(key)} in ${javaType(value)}`);
}
