/**
 * Finds broken references in Markdown pages: relative links, heading anchors, paths of source files in
 * backticks, names that a page attributes to a source file, settings and metrics.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

export interface Page {
  /** Path relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

/**
 * Returns one line per broken reference: `page: fault`. `source` is the text that declares settings and
 * metrics.
 */
export function findBrokenReferences(root: string, pages: readonly Page[], source: string): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, listAnchors(text)]))
  return pages.flatMap((page) => {
    const prose = withoutCodeBlocks(page.text)
    return [
      ...findBrokenLinks(root, page.path, prose, anchors),
      ...findMissingPaths(root, page.path, prose),
      ...findMissingNames(root, page.path, prose),
      ...findUndeclared(page.text, source),
    ].map((problem) => `${page.path}: ${problem}`)
  })
}

function findBrokenLinks(
  root: string,
  page: string,
  prose: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, markdown, html]) => (markdown ?? html)!,
  )
  return links.flatMap((link) => {
    if (/^[a-z]+:/.test(link)) return []
    const [file, anchor] = link.split('#', 2) as [string, string | undefined]
    const target = file === '' ? page : join(dirname(page), file)
    if (target.startsWith('..') || !existsSync(join(root, target))) return [`link target not found: ${link}`]
    if (anchor === undefined) return []
    return anchors.get(target)?.has(anchor) === true ? [] : [`heading not found: ${link}`]
  })
}

/** Checks `gateway/src/…` anywhere, and paths of source files in backticks. */
function findMissingPaths(root: string, page: string, prose: string): string[] {
  const full = [...prose.matchAll(/\bgateway\/(?:src|test|tools|migrations)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  )
  const short = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/[\w.-]+\.ts)`/g)].map(([, path]) => path!)
  const places = ['', 'gateway/src', dirname(page)]
  return [...new Set([...full, ...short])]
    .filter((path) => !places.some((place) => existsSync(join(root, place, path))))
    .map((path) => `file not found: ${path}`)
}

/** Checks that the file contains the names in `[file](path.ts): `name`, `Class.method``. */
function findMissingNames(root: string, page: string, prose: string): string[] {
  return [...prose.matchAll(/\]\(([^)]+\.ts)\): ((?:`[\w.]+`(?:, )?)+)/g)].flatMap(([, link, list]) => {
    const file = join(root, dirname(page), link!)
    if (!existsSync(file)) return []
    const source = readFileSync(file, 'utf8')
    return [...list!.matchAll(/\w+/g)]
      .map(([name]) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => `${name} not found in ${link}`)
  })
}

/**
 * Checks `POSTERN_SOME_SETTING` and `postern_some_metric`, in prose and in code blocks. Users choose the
 * names of route secrets.
 */
function findUndeclared(text: string, source: string): string[] {
  const names = [...text.matchAll(/\b(?:POSTERN_(?!ROUTE_SECRET_)[A-Z0-9_]+|postern_[a-z0-9_]+)\b/g)].map(
    ([name]) => name,
  )
  return [...new Set(names)]
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
    .map((name) => `${name} is not declared`)
}

/**
 * Returns anchors as GitHub creates them: lower case, without punctuation, hyphens for spaces, repeated ones
 * numbered.
 */
function listAnchors(text: string): Set<string> {
  const seen = new Map<string, number>()
  const headings = [...withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?) *$/gm)]
  return new Set(
    headings.map(([, heading]) => {
      const slug = heading!
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

function withoutCodeBlocks(text: string): string {
  return text.replace(/^( *)(```+|~~~+)[\s\S]*?^\1\2$/gm, '')
}
