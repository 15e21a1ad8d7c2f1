/** The skill's folder, and the name in its head: they must be equal (agentskills.io/specification). */
export const SKILL_NAME = "pinakes";

/**
 * What an agent is told about the tools, in the open format of skills: the head is always in its context, the rest when
 * it decides to search code.
 */
export const SKILL = `---
name: pinakes
description: Find code by name, text or meaning with the Pinakes MCP tools (search, read, symbol, map). Use before grepping or opening files to find where something is defined, who uses it, where a message comes from, or what a repository holds.
---

# Searching code with Pinakes

The index holds every function, class, section and file of the indexed folders. What it finds is checked against the disk
before it is shown.

1. \`search\` with what you know. Definitions come first; every hit has a locator.
   - a name: \`def:parseOptions\`, \`sym:parse*\`; words: \`read timeout handler\`; a phrase: \`"could not connect"\`
   - lines as they are written: \`/TODO\\(\\w+\\)/\`, \`content:"a literal"\`
   - narrow: \`lang:go path:src/* kind:function -class:test\`
   - several questions at once: give \`query\` a list
2. \`read\` a locator of a hit instead of a whole file. A locator stays good after edits: the answer says whether the code moved or changed.
3. \`symbol\` with a name for its definition and the signatures of its callers, callees, implementations and tests.
4. \`map\` when you do not know the repository: its folders, languages and most used declarations.

Give \`max_tokens\` what the answer is worth: 300 to find a place, 1000 to see code. An answer never exceeds it, says what it
left out and ends with the call that continues it. "No hits" says why and names what is near: follow it before falling
back to grep.
`;
