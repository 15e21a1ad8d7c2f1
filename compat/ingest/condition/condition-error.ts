/** A condition that failed while it was evaluated: the type and words of Java's exception. */
export class ConditionError extends Error {
  constructor(
    readonly type: string,
    reason: string,
  ) {
    super(reason);
    this.name = "ConditionError";
  }
}

/** What Painless says of a null that something is asked of. */
export function nullReference(name: string): ConditionError {
  return new ConditionError("null_pointer_exception", `cannot access method/field [${name}] from a null def reference`);
}
