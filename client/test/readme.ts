import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readBlocks } from '../../tools/docs/guides/blocks.ts'
import type { ScenarioSettings } from './scenario.ts'

/** Defines `store`, which the README leaves to the reader. */
const storage = `
export const stored: unknown[] = []
async function store(...values: readonly unknown[]): Promise<void> {
  stored.push(values)
}
`

/** Starts the README program and pushes a report to its webhook receiver. */
const start = `
import receiver, { stored } from './readme.mjs'
const { headers, body } = JSON.parse(process.argv[2])
const { status } = await receiver.fetch(new Request('http://shop.example/', { method: 'POST', headers, body }))
const last = JSON.stringify(stored.at(-1))
const passed = status === 200 && last.includes(headers['webhook-id']) && stored.length > 1
console.log(passed ? 'ok the code of the README' : \`FAILED the code of the README: \${status}, stored \${last}\`)
`

/** Returns the TypeScript blocks of the README as one program. */
export function readReadme(): string {
  const page = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const blocks = readBlocks(page).filter(({ language }) => language === 'ts')
  return [storage, ...blocks.map(({ code }) => code)].join('\n')
}

/** Runs the README program with the package against a real gateway. Returns the last line of output. */
export async function runReadme(
  folder: string,
  { baseUrl, fullKey, webhook, image }: ScenarioSettings,
): Promise<string> {
  const program = stripTypeScriptTypes(readReadme()).replaceAll('https://gateway.example', baseUrl)
  writeFileSync(join(folder, 'readme.mjs'), program)
  writeFileSync(join(folder, 'start-readme.mjs'), start)
  writeFileSync(join(folder, 'menu.jpg'), Buffer.from(image, 'base64'))
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['start-readme.mjs', JSON.stringify(webhook)],
    { cwd: folder, timeout: 120_000, env: { MESSAGING_API_KEY: fullKey, WEBHOOK_SECRET: webhook.secret } },
  )
  return stdout.trim().split('\n').at(-1)!
}
