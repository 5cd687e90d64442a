/**
 * `npm run suite -- console:incidents [--only carrier-slow] [--shots]`: causes seven incidents, each in its own installation,
 * and finds each cause from the first screen in at most three clicks. Prints a table and exits with 1 if a cause is not found.
 * `--shots` writes an image of each step to a temporary folder, which is printed; for a cause that is not found, this is always
 * done.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { launchBrowser, openPage, signIn } from '../support/browser.ts'
import { openConsole } from '../support/console-installation.ts'
import { reducePng } from '../support/reduce-png.ts'
import { accountBurst } from './account-burst.ts'
import { carrierSlow } from './carrier-slow.ts'
import { databaseSlow } from './database-slow.ts'
import type { Incident } from './incident.ts'
import { messageLost } from './message-lost.ts'
import { prefixRefused } from './prefix-refused.ts'
import { routeMisconfigured } from './route-misconfigured.ts'
import { goThrough } from './test-bed.ts'
import type { Picture, Walk } from './walk.ts'
import { webhookDead } from './webhook-dead.ts'

const incidents: readonly Incident[] = [
  carrierSlow,
  prefixRefused,
  webhookDead,
  accountBurst,
  databaseSlow,
  routeMisconfigured,
  messageLost,
]

const { values } = parseArgs({
  options: { only: { type: 'string' }, shots: { type: 'boolean', default: false } },
})
const chosen = incidents.filter(({ name }) => values.only === undefined || name === values.only)
if (chosen.length === 0) {
  const names = incidents.map(({ name }) => name).join(', ')
  process.stderr.write(`incident '${values.only}' not found; choose from ${names}\n`)
  process.exit(2)
}
const folder = join(tmpdir(), 'postern-incidents')

interface Result {
  readonly incident: string
  readonly clicks: number | string
  readonly seen: string
  readonly seconds: number
}

const browser = await launchBrowser()
const results: Result[] = []
let allFound = true
try {
  for (const incident of chosen) {
    const before = results.length
    const found = await find(browser, incident)
    allFound &&= found
    for (const { incident: name, clicks, seen, seconds } of results.slice(before))
      process.stdout.write(`${name}: ${clicks} clicks, ${seconds} s: ${seen}\n`)
  }
} finally {
  await browser.close()
}
process.stdout.write('\n')
print(results)
process.exitCode = allFound ? 0 : 1

async function find(inBrowser: Browser, incident: Incident): Promise<boolean> {
  const began = performance.now()
  const seconds = (): number => Math.round((performance.now() - began) / 100) / 10
  const gateway = await openConsole(incident.options)
  const { page, errors } = await openPage(inBrowser)
  let last: Walk | undefined
  let found = false
  try {
    await signIn(page, gateway.url, gateway.keys.operator)
    const walks = await goThrough(incident, gateway, page, { keep: (walk) => (last = walk) })
    if (errors.length > 0) throw new Error(`errors in the browser's console: ${errors.join('; ')}`)
    found = true
    for (const walk of walks) {
      const { clicks, seen, pictures, name } = walk
      results.push({ incident: name, clicks, seen, seconds: seconds() })
      if (values.shots) {
        save(folder, pictures)
        process.stdout.write(`${name}: images in ${folder}\n`)
      }
    }
  } catch (error) {
    const png = await page.screenshot().catch(() => null)
    save(folder, [
      ...(last?.pictures ?? []),
      ...(png === null ? [] : [{ name: `${incident.name}-failed`, png }]),
    ])
    const text = `not found: ${(error as Error).message.split('\n')[0]} (images: ${folder})`
    results.push({ incident: incident.name, clicks: '–', seen: text, seconds: seconds() })
  } finally {
    await page.context().close()
    await gateway.close(!found)
  }
  return found
}

function save(directory: string, pictures: readonly Picture[]): void {
  mkdirSync(directory, { recursive: true })
  for (const { name, png } of pictures) writeFileSync(join(directory, `${name}.png`), reducePng(png))
}

function print(rows: readonly Result[]): void {
  const width = Math.max(...rows.map(({ incident }) => incident.length))
  process.stdout.write(`${'incident'.padEnd(width)}  clicks  seconds  what was seen\n`)
  for (const { incident, clicks, seen, seconds } of rows)
    process.stdout.write(
      `${incident.padEnd(width)}  ${String(clicks).padStart(6)}  ${seconds.toFixed(1).padStart(7)}  ${seen}\n`,
    )
}
