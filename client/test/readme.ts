/** Runs the TypeScript blocks of the README as one program, with the published package against a real gateway. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readBlocks } from '../../scripts/guides/blocks.ts'
import type { ScenarioSettings } from './scenario.ts'

/** The README leaves the storage to its reader. */
const storage = `
export const stored: unknown[] = []
async function store(...values: readonly unknown[]): Promise<void> {
  stored.push(values)
}
`

/** Pushes a report to the webhook receiver of the README. */
const start = `
import receiver, { stored } from './readme.mjs'
const { headers, body } = JSON.parse(process.argv[2])
const { status } = await receiver.fetch(new Request('http://shop.example/', { method: 'POST', headers, body }))
const last = JSON.stringify(stored.at(-1))
const passed = status === 200 && last.includes(headers['webhook-id']) && stored.length > 1
console.log(passed ? 'ok the code of the README' : \`FAILED the code of the README: \${status}, stored \${last}\`)
`

export function readReadme(): string {
  const page = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
  const blocks = readBlocks(page).filter(({ language }) => language === 'ts')
  return [storage, ...blocks.map(({ code }) => code)].join('\n')
}

/** Returns the last line that the program prints. */
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
    {
      cwd: folder,
      timeout: 120_000,
      env: { MESSAGING_API_KEY: fullKey, WEBHOOK_SECRET: webhook.secret },
    },
  )
  return stdout.trim().split('\n').at(-1)!
}
