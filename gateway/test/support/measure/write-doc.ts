/** Writes the result of a run into docs/, in the project's format. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatText } from '../../../tools/format-text.ts'
import { projectRoot } from '../processes/program.ts'

/** `name` is the path below docs/. */
export async function writeDoc(name: string, text: string): Promise<void> {
  const file = join(projectRoot, 'docs', name)
  mkdirSync(dirname(file), { recursive: true })
  const isPage = name.endsWith('.md')
  writeFileSync(file, isPage ? await formatText(file, text) : text)
}

/**
 * Replaces the text between `<!-- section -->` and `<!-- end of section -->` in a page that is otherwise
 * written by hand.
 */
export async function writeDocSection(name: string, section: string, text: string): Promise<void> {
  const page = readFileSync(join(projectRoot, 'docs', name), 'utf8')
  const [begin, end] = [`<!-- ${section} -->`, `<!-- end of ${section} -->`]
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/${name} must contain ${begin} and, after it, ${end}`)
  await writeDoc(name, `${page.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${page.slice(to)}`)
}
