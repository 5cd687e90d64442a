/**
 * Reads CHANGELOG.md: `## Unreleased` first, then a section `## 1.2.3 (2026-11-16)` for each release, newest
 * first.
 */

/** Returns the text of a release without its heading. */
export function findSection(changelog: string, version: string): string | undefined {
  const lines = changelog.split('\n')
  const start = lines.findIndex((line) => parseReleaseHeading(line)?.version === version)
  if (start < 0) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('## '))
  const end = length < 0 ? lines.length : start + 1 + length
  return lines
    .slice(start + 1, end)
    .join('\n')
    .trim()
}

export interface ReleaseHeading {
  readonly version: string
  readonly date: string
}

export function parseReleaseHeading(line: string): ReleaseHeading | undefined {
  const [, version, date] = /^## (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/.exec(line) ?? []
  return version === undefined ? undefined : { version, date: date! }
}

export function listHeadings(changelog: string): string[] {
  return changelog.split('\n').filter((line) => line.startsWith('## '))
}
