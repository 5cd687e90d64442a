/**
 * Converts a Markdown page of the repository to a page of the site. The first heading becomes the title, and
 * links to other pages become their addresses. Links to other files lose their link or point to the
 * repository, and images point to their copies.
 */
import { dirname, join } from 'node:path/posix'

export interface Conversion {
  /** Path relative to the root of the repository. */
  readonly file: string
  readonly text: string
  /** Maps files to addresses. */
  readonly pages: ReadonlyMap<string, string>
  /** Base URL of the files of the repository, without a slash at the end; undefined removes such links. */
  readonly repository: string | undefined
  /** More lines of the front matter. */
  readonly frontMatter?: readonly string[]
}

export interface ConvertedPage {
  readonly title: string
  readonly text: string
  /** Image files that the page shows. */
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
    .replaceAll(/(?<=\ssrc=")([^":]+)(?=")/g, (source: string) => addImage(source, conversion.file, images))
    .replaceAll(
      /(!?)\[((?:[^\]\\`]|\\.|`[^`]*`)*)\]\(([^)\s]+)\)/g,
      (whole, mark: string, label: string, link: string) => {
        if (mark === '!') return `![${label}](${addImage(link, conversion.file, images)})`
        const target = resolveLink(link, conversion)
        return target === undefined ? label : target === link ? whole : `[${label}](${target})`
      },
    )
}

/** Returns the address of a link; undefined if its target is not on the site. */
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

/** Adds the file of an image to `images` and returns its address on the site. */
function addImage(source: string, file: string, images: string[]): string {
  if (/^[a-z]+:/.test(source)) return source
  const path = join(dirname(file), source)
  images.push(path)
  return `/img/${path.split('/').at(-1)!}`
}

/** Leaves blocks and spans of code unchanged. */
function outsideOfCode(text: string, convert: (prose: string) => string): string {
  return text
    .split(/(^ *(?:```+|~~~+)[^]*?^ *(?:```+|~~~+) *$)/m)
    .map((part, index) => (index % 2 === 1 ? part : convertSpans(part, convert)))
    .join('')
}

/** Replaces spans by a marker while the rest is converted, because the label of a link may contain code. */
function convertSpans(text: string, convert: (prose: string) => string): string {
  const spans: string[] = []
  const marked = text.replaceAll(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, (span) => {
    spans.push(span)
    return `\uE000${spans.length - 1}\uE001`
  })
  return convert(marked).replaceAll(/\uE000(\d+)\uE001/g, (_mark, index: string) => spans[Number(index)]!)
}
