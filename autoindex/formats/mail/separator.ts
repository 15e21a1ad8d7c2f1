/** The line that a message of a mailbox begins with: `From someone Thu Jan  1 00:00:00 1970` (RFC 4155). */
export const SEPARATOR = /^From \S+ .{0,40}\d{2}:\d{2}.{0,40}\d{4}/;
