/**
 * A Markdown page of the repository as a page of the site: its first heading becomes the title, links to other pages lead to their
 * address, links to files that are no page lose their link or lead to the repository, and pictures to where they are copied. Pure.
 */
import { dirname, join } from 'node:path/posix'

export interface Conversion {
  /** Relative to the root of the repository. */
  readonly file: string
  readonly text: string
  /** Addresses by file. */
  readonly pages: ReadonlyMap<string, string>
  /** Where the files of the repository can be read, without a slash at the end; undefined: nowhere. */
  readonly repository: string | undefined
  /** More lines of the front matter. */
  readonly frontMatter?: readonly string[]
}

export interface ConvertedPage {
  readonly title: string
  readonly text: string
  /** Files of pictures that the page shows. */
  readonly images: readonly string[]
}

export function convertPage(conversion: Conversion): ConvertedPage {
  const { text, frontMatter = [] } = conversion
  const [, heading] = /^# (.+)$/m.exec(text) ?? []
  if (heading === undefined) throw new Error(`${conversion.file} has no heading`)
  const title = heading.replaceAll(/[`*_]/g, '')
  const images: string[] = []
  const body = outsideOfCode(text.replace(/^# .+\n+/m, ''), (prose) =>
    convertProse(prose, conversion, images),
  )
  const head = ['---', `title: ${JSON.stringify(title)}`, ...frontMatter, '---', '']
  return { title, text: `${head.join('\n')}\n${body}`, images }
}

function convertProse(prose: string, conversion: Conversion, images: string[]): string {
  return prose
    .replaceAll(/<(?!\/?(?:p|img|br|a|sub|sup|details|summary)\b|!--|https?:)/g, '&lt;')
    .replaceAll(/(?<=\ssrc=")([^":]+)(?=")/g, (source: string) => picture(source, conversion.file, images))
    .replaceAll(
      /(!?)\[((?:[^\]\\`]|\\.|`[^`]*`)*)\]\(([^)\s]+)\)/g,
      (whole, mark: string, label: string, link: string) => {
        if (mark === '!') return `![${label}](${picture(link, conversion.file, images)})`
        const target = resolveLink(link, conversion)
        return target === undefined ? label : target === link ? whole : `[${label}](${target})`
      },
    )
}

/** The address of a link; undefined when nothing of it is on the site. */
function resolveLink(link: string, { file, pages, repository }: Conversion): string | undefined {
  if (/^[a-z]+:/.test(link) || link.startsWith('#')) return link
  const [path, anchor] = link.split('#', 2) as [string, string | undefined]
  const target = join(dirname(file), path)
  const address = pages.get(target) ?? pages.get(join(target, 'README.md'))
  if (address === undefined)
    return target === 'docs/README.md'
      ? '/'
      : repository === undefined
        ? undefined
        : `${repository}/${target}`
  const slug = address === 'index' ? '/' : `/${address}/`
  return anchor === undefined ? slug : `${slug}#${anchor}`
}

function picture(source: string, file: string, images: string[]): string {
  if (/^[a-z]+:/.test(source)) return source
  const path = join(dirname(file), source)
  images.push(path)
  return `/img/${path.split('/').at(-1)!}`
}

/** Blocks and spans of code stay as they are. */
function outsideOfCode(text: string, convert: (prose: string) => string): string {
  return text
    .split(/(^ *(?:```+|~~~+)[^]*?^ *(?:```+|~~~+) *$)/m)
    .map((part, index) => (index % 2 === 1 ? part : convertSpans(part, convert)))
    .join('')
}

/** A link may have code in its label, so spans are put aside by a mark while the rest is converted. */
function convertSpans(text: string, convert: (prose: string) => string): string {
  const spans: string[] = []
  const marked = text.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => {
    spans.push(span)
    return `\uE000${spans.length - 1}\uE001`
  })
  return convert(marked).replaceAll(/\uE000(\d+)\uE001/g, (_mark, index: string) => spans[Number(index)]!)
}
