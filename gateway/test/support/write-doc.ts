/** Writes the result of a run into docs/, in the project's format. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { projectRoot } from './processes/program.ts'

/** `name` is the path below docs/. */
export async function writeDoc(name: string, text: string): Promise<void> {
  const file = join(projectRoot, 'docs', name)
  mkdirSync(dirname(file), { recursive: true })
  const isPage = name.endsWith('.md')
  writeFileSync(file, isPage ? await format(text, { ...(await resolveConfig(file)), filepath: file }) : text)
}
