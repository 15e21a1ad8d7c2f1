import { expect, it } from "vitest";
import { QUESTIONS, REPOSITORIES } from "./questions.js";
import { Transcript } from "./transcript.js";

it("asks twenty questions of every kind about each repository, none twice", () => {
  for (const { name } of REPOSITORIES) {
    const own = QUESTIONS.filter(({ repo }) => repo === name);
    expect(own).toHaveLength(20);
    expect(new Set(own.map(({ kind }) => kind)).size).toBe(5);
  }
  expect(new Set(QUESTIONS.map(({ repo, kind, known }) => `${repo} ${kind} ${known}`)).size).toBe(QUESTIONS.length);
});

it("takes a question as answered when its file and all its evidence were read, and counts calls and answers", () => {
  const [question] = QUESTIONS;
  const transcript = new Transcript(question!);
  expect(transcript.add("rg", `${question!.path}\n12: ${question!.evidence[0]}`)).toBe(false);
  expect(transcript.add("read", question!.evidence.map((text, at) => `${at}:   ${text}`).join("\n"))).toBe(true);
  expect(transcript.tokens).toBeGreaterThan(2 * 14);
});
