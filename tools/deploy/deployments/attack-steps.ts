/**
 * The attacks of the suite `security` that need no settings of their own, and a search for secrets, against
 * an installation that runs already.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fetch } from 'undici'
import {
  searchBroker,
  searchDatabase,
  searchLogs,
  searchRedis,
} from '../../../gateway/test/security/search-stores.ts'
import { projectRoot } from '../../engines/paths.ts'

/** An installation with Compose or with the chart. */
export interface AttackTarget {
  /** Port of the API on this machine. */
  readonly port: number
  /** Key of the sandbox account. */
  readonly key: string
  /** Hosts with ports that a webhook must not reach. */
  readonly hostsInside: readonly string[]
  /** Passwords and keys that must be in no store and no log. */
  readonly secrets: readonly string[]
  /** Folder of all volumes, if it can be searched. */
  readonly volumes: string | null
  /** Process id of an API. */
  readonly pid: number
  /** URL for the owner of the tables. */
  readonly databaseUrl: string
  /** Environment of the commands of an operator on this machine. */
  readonly environment: Readonly<Record<string, string>>
  /** Returns the logs of all processes of the gateway. */
  readLogs(): string | Promise<string>
  readBrokerLog(): string | Promise<string>
}

export const attacks = ['foreign-keys', 'login-flood', 'unread-answers', 'terminal-escapes'] as const

export async function attack(target: AttackTarget, name: (typeof attacks)[number]): Promise<string> {
  const { port, pid, databaseUrl, environment } = target
  const running = { port, pid, databaseUrl, environment, directory: createFolder() }
  const env = { ...process.env, POSTERN_ATTACK_TARGET: JSON.stringify(running), POSTERN_SHORT_ATTACKS: 'yes' }
  const program = join(projectRoot, `gateway/test/security/${name}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env }).catch(
    (error: unknown) => {
      const { stdout: printed, stderr } = error as { stdout: string; stderr: string }
      throw new Error(printed + stderr, { cause: error })
    },
  )
  return stdout.trim().split('\n').join('; ')
}

/** A webhook must not lead to the engines, to other processes, to this machine or to the metadata of a cloud. */
export async function reachInside(target: AttackTarget): Promise<string> {
  const urls = target.hostsInside.flatMap((host) => [`http://${host}/`, `https://${host}/`])
  let refused = 0
  for (const url of urls) {
    const { data } = await request(target, 'POST', '/v1/webhook', { url })
    if (data === undefined) {
      refused += 1
      continue
    }
    const webhook = `/v1/webhook/${data.webhookId}`
    const test = JSON.stringify(await request(target, 'POST', `${webhook}/test`))
    await request(target, 'DELETE', webhook)
    if (!/not allowed|private|address/i.test(test)) throw new Error(`${url} was requested: ${test}`)
  }
  if (/bad_header/.test(await target.readBrokerLog())) throw new Error('a webhook has reached the broker')
  return `${urls.length} URLs that lead inside: ${refused} refused when set, the rest when used`
}

/** Secrets, and a text and a number of a message, must be in no place where they do not belong. */
export async function findCanaries(target: AttackTarget): Promise<string> {
  const { databaseUrl, environment, secrets, volumes } = target
  const text = `CANARY${Date.now().toString(36)}TEXT`
  const to = `016${String(Date.now()).slice(-4)}0001`
  const sent = await request(target, 'POST', '/v1/send/sms', { from: '0212345678', to, text })
  if (sent.code !== 'A000') throw new Error(`not accepted: ${JSON.stringify(sent)}`)
  const logs = createFolder()
  writeFileSync(join(logs, 'processes.log'), await target.readLogs())
  const found = [
    ...(await searchDatabase(databaseUrl, secrets)),
    ...(await searchBroker(environment, secrets)),
    ...(await searchRedis(environment, [...secrets, text, to.slice(1)])),
    ...searchLogs(logs, [...secrets, text, to.slice(1)]),
    ...(volumes === null ? [] : searchFiles(volumes, secrets)),
  ]
  if (found.length > 0) throw new Error(found.join('\n'))
  if ((await searchDatabase(databaseUrl, [text])).length === 0)
    throw new Error('the search does not find the text in the database, so it proves nothing')
  const places = volumes === null ? 'table, queue, key or log' : 'table, queue, key, log or volume'
  return `${secrets.length} secrets in no ${places}; text and number in no log`
}

function createFolder(): string {
  return mkdtempSync(join(tmpdir(), 'postern-attack-'))
}

interface ApiResponse {
  readonly code: string
  readonly data?: { readonly webhookId: string }
}

async function request(
  { port, key }: AttackTarget,
  method: string,
  path: string,
  body: object = {},
): Promise<ApiResponse> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  })
  return (await response.json()) as ApiResponse
}

function searchFiles(folder: string, secrets: readonly string[]): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
  return files.flatMap((path) => {
    const content = readFileSync(path)
    return secrets.filter((secret) => content.includes(secret)).map((secret) => `${secret} is in ${path}`)
  })
}
