/**
 * Checks comments, test titles and pages for wording that is hard to read, and code for a needless spread. Each
 * rule is a pattern without false alarms; docs/contributing/writing.md explains the rules with examples.
 *
 *   node tools/check/language.ts
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../engines/paths.ts'

interface LanguageRule {
  readonly files: RegExp
  readonly pattern: RegExp
  readonly advice: string
}

const sourceFile = /\.(ts|tsx|sql)$/
const sourceOrPage = /\.(ts|tsx|sql|md)$/
/** The beginning of a comment, or of a sentence within one. */
const start = String.raw`(?:/\*\*|//|--|^ +\*|^[ /*-]+[A-Z][^.'"\x60]*\.) `

export const languageRules: readonly LanguageRule[] = [
  {
    files: sourceFile,
    pattern: new RegExp(
      `${start}(?:Null|Undefined|Absent|Empty|False|True|0)(?::| when| where| while| without| until) `,
    ),
    advice: "write a sentence: '`null` allows every network', 'Returns false if …'",
  },
  {
    files: sourceFile,
    pattern: new RegExp(`${start}(?:Of|Whoever|Whatever) `),
    advice: 'write a sentence with a subject and a verb, or a noun phrase',
  },
  {
    files: sourceFile,
    pattern: new RegExp(`${start}(?:Pure\\b|Called by|Used by|Kept by|Made by|Started by)`),
    advice: 'delete it: the code shows who calls a function and what it depends on',
  },
  {
    files: sourceOrPage,
    pattern:
      /\b(?:[Mm]essages|[Rr]equests|[Pp]arts|[Pp]ushes|reports|times|bytes|texts|files|pages|changes|µs) an? (?:second|minute|hour|day|message|node|character)\b/,
    advice: "write 'per second'",
  },
  {
    files: sourceOrPage,
    pattern: /\bmay not\b/,
    advice: "write 'must not', 'cannot' or 'is not allowed to'",
  },
  {
    files: /\.test\.tsx?$/,
    pattern: /^ *(?:test|suite)\(.(?:of|what|who|whatever|while|where|nothing) /,
    advice: 'begin a test title with its subject, and put the condition last',
  },
  {
    files: /\.tsx?$/,
    pattern: /\.\.\.\{ [a-zA-Z]\w*(?:, \w+)* \}/,
    advice: 'write the properties without the spread',
  },
]

/** Returns one line per finding, such as `a.ts:3: write 'per second'`. */
export function findWording(path: string, text: string): string[] {
  const rules = languageRules.filter(({ files }) => files.test(path))
  return text
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter(({ pattern }) => pattern.test(line))
        .map(({ advice }) => `${path}:${index + 1}: ${advice}`),
    )
}

if (import.meta.main) {
  const list = execFileSync('git', ['ls-files'], { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1 << 26 })
  const findings = list
    .split('\n')
    .filter(
      (path) =>
        sourceOrPage.test(path) &&
        !path.startsWith('tools/check/language') &&
        path !== 'docs/contributing/writing.md' &&
        !path.includes('/generated/'),
    )
    .filter((path) => existsSync(join(projectRoot, path)))
    .flatMap((path) => findWording(path, readFileSync(join(projectRoot, path), 'utf8')))
  for (const finding of findings) process.stderr.write(`${finding}\n`)
  process.stdout.write(`language: ${findings.length} findings\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
