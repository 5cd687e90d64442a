/**
 * Finds references in Markdown pages that lead nowhere: relative links, anchors of headings, paths of source files in
 * backticks, names that a page says are in a source file, settings and metrics. Used by links.test.ts.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

export interface Page {
  /** Relative to the root of the repository. */
  readonly path: string
  readonly text: string
}

/** One line per broken reference: `page: what is wrong`. `source` is the text that declares settings and metrics. */
export function findBrokenReferences(root: string, pages: readonly Page[], source: string): string[] {
  const anchors = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]))
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
    if (target.startsWith('..') || !existsSync(join(root, target))) return [`no file for the link ${link}`]
    if (anchor === undefined) return []
    return anchors.get(target)?.has(anchor) === true ? [] : [`no heading for the link ${link}`]
  })
}

/** `gateway/src/…` anywhere, and whatever looks like a path of a source file in backticks. */
function findMissingPaths(root: string, page: string, prose: string): string[] {
  const full = [...prose.matchAll(/\bgateway\/(?:src|test|tools|migrations)\/[\w./-]*\w/g)].map(
    ([path]) => path,
  )
  const short = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\/[\w.-]+\.ts)`/g)].map(([, path]) => path!)
  const places = ['', 'gateway/src', dirname(page)]
  return [...new Set([...full, ...short])]
    .filter((path) => !places.some((place) => existsSync(join(root, place, path))))
    .map((path) => `no file ${path}`)
}

/** `[file](path.ts): `name`, `Class.method`` says that the file holds these names. */
function findMissingNames(root: string, page: string, prose: string): string[] {
  return [...prose.matchAll(/\]\(([^)]+\.ts)\): ((?:`[\w.]+`(?:, )?)+)/g)].flatMap(([, link, list]) => {
    const file = join(root, dirname(page), link!)
    if (!existsSync(file)) return []
    const source = readFileSync(file, 'utf8')
    return [...list!.matchAll(/\w+/g)]
      .map(([name]) => name)
      .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
      .map((name) => `no ${name} in ${link}`)
  })
}

/** `POSTERN_SOME_SETTING` and `postern_some_metric`, in prose and in code blocks. Users choose the names of route secrets. */
function findUndeclared(text: string, source: string): string[] {
  const names = [...text.matchAll(/\b(?:POSTERN_(?!ROUTE_SECRET_)[A-Z0-9_]+|postern_[a-z0-9_]+)\b/g)].map(
    ([name]) => name,
  )
  return [...new Set(names)]
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(source))
    .map((name) => `nothing is called ${name}`)
}

/** As GitHub makes them: lower case, punctuation dropped, spaces as hyphens, repeated ones numbered. */
function anchorsOf(text: string): Set<string> {
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
