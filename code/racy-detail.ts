/**
 * Detail of an indexed file that was read within a moment of its last change. A later change may have got the same time
 * stamp, so its size and time prove nothing and it is read again on the next run, as git does.
 */
export const RACY_DETAIL = "changed just before it was read; the next run compares its content";

/** Whether a detail says so. */
export function isRacy(detail: string): boolean {
  return detail.endsWith(RACY_DETAIL);
}

/** A detail that says so after what it says else. */
export function withRacy(detail: string): string {
  return detail === "" ? RACY_DETAIL : `${detail}; ${RACY_DETAIL}`;
}

/** What a detail says else. */
export function withoutRacy(detail: string): string {
  return isRacy(detail) ? detail.slice(0, -RACY_DETAIL.length).replace(/; $/, "") : detail;
}
