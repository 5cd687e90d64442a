// `npm run check`, format: whether every file is as Prettier would write it (`npm run format`). Prettier takes 25 ms of CPU for a file, oxfmt
// half a millisecond. It writes TypeScript as Prettier does but for long unions, which it always breaks into lines that begin with `|`. So
// oxfmt reads the TypeScript first; Prettier judges what oxfmt would change, what has such lines, and everything that is not TypeScript.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from './services/paths.ts'

const typescript = '**/*.{ts,tsx}'
const notOurs = ['**/node_modules/**', '.services/**']

const changed = await run('oxfmt', ['--list-different', '--config', '.prettierrc.json', typescript])
// 1: some would change; 2: one cannot be read.
if (changed.code !== 0 && changed.code !== 1) fail(changed.output + changed.errors)
const suspects = new Set(changed.output.split('\n').filter((line) => line !== ''))
for await (const file of glob(typescript, { cwd: projectRoot, exclude: notOurs })) {
  if (/^\s*\| /m.test(readFileSync(join(projectRoot, file), 'utf8'))) suspects.add(file)
}

const check = ['--check', '--log-level', 'warn']
for (const files of [['.', `!${typescript}`], [...suspects]]) {
  if (files.length === 0) continue
  const { code, output, errors } = await run('prettier', [...check, ...files])
  if (code !== 0) fail(output + errors)
}

function fail(text: string): void {
  process.stdout.write(text)
  process.exitCode = 1
}

function run(
  program: string,
  args: readonly string[],
): Promise<{ code: number; output: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const path = join(projectRoot, 'node_modules/.bin', program)
    execFile(path, [...args], { cwd: projectRoot, maxBuffer: 1 << 26 }, (error, output, errors) => {
      if (error === null) resolve({ code: 0, output, errors })
      else if (typeof error.code === 'number') resolve({ code: error.code, output, errors })
      else reject(new Error(`${program} does not run: ${error.message}. Install the packages: npm ci.`))
    })
  })
}
