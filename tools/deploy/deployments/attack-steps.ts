/**
 * The attacks of the suite `security` that need no settings of their own, and a search for secrets, against
 * the published ports of an installation.
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
import type { Installation } from './installation.ts'
import { api } from './start-steps.ts'

export const attacks = ['foreign-keys', 'login-flood', 'unread-answers', 'terminal-escapes'] as const

/** Runs an attack against the API of the installation, with its engines at the addresses of their containers. */
export async function attack(installation: Installation, name: (typeof attacks)[number]): Promise<string> {
  const target = {
    port: 8080,
    pid: Number(await installation.docker('inspect', '--format', '{{.State.Pid}}', 'postern-api-1')),
    ...(await addresses(installation)),
  }
  const env = { ...process.env, POSTERN_ATTACK_TARGET: JSON.stringify(target), POSTERN_SHORT_ATTACKS: 'yes' }
  const program = join(projectRoot, `gateway/test/security/${name}.ts`)
  const { stdout } = await promisify(execFile)(process.execPath, [program], { env }).catch(
    (error: unknown) => {
      const { stdout: printed, stderr } = error as { stdout: string; stderr: string }
      throw new Error(printed + stderr, { cause: error })
    },
  )
  return stdout.trim().split('\n').join('; ')
}

async function addresses(installation: Installation) {
  const setting = (name: string): string => installation.setting(name)
  const [postgres, rabbitmq, valkey] = await Promise.all(
    ['postgres', 'rabbitmq', 'valkey'].map((service) => installation.addressOf(service)),
  )
  const database = (user: string, password: string): string =>
    `postgres://${user}:${setting(password)}@${postgres}:5432/postern`
  return {
    databaseUrl: database('postern', 'DATABASE_PASSWORD'),
    directory: mkdtempSync(join(tmpdir(), 'postern-attack-')),
    environment: {
      POSTERN_DATABASE_URL: database('postern_cli', 'DATABASE_CLI_PASSWORD'),
      POSTERN_BROKER_URLS: `amqp://postern:${setting('BROKER_PASSWORD')}@${rabbitmq}:5672`,
      POSTERN_REDIS_URL: `redis://:${setting('VALKEY_PASSWORD')}@${valkey}:6379`,
      POSTERN_QUEUE_PREFIX: 'postern.',
      POSTERN_MASTER_KEY: 'env:MASTER_KEY',
      MASTER_KEY: setting('MASTER_KEY'),
    },
  }
}

/** A webhook must not lead to the engines, to this machine or to the metadata of a cloud. */
export async function reachInside(installation: Installation): Promise<string> {
  const hosts = [
    'postgres:5432',
    'rabbitmq:5672',
    'valkey:6379',
    'api:9090',
    'localhost:9090',
    '169.254.169.254',
  ]
  for (const service of ['postgres', 'rabbitmq', 'api']) hosts.push(await installation.addressOf(service))
  const headers = { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json' }
  let refused = 0
  for (const host of hosts)
    for (const url of [`http://${host}/`, `https://${host}/`]) {
      const body = JSON.stringify({ url })
      const made = await fetch(`${api}/v1/webhook`, { method: 'POST', headers, body })
      const { data } = (await made.json()) as { data?: { webhookId: string } }
      if (data === undefined) refused += 1
      else {
        const webhook = `${api}/v1/webhook/${data.webhookId}`
        const test = await (await fetch(`${webhook}/test`, { method: 'POST', headers })).text()
        await fetch(webhook, { method: 'DELETE', headers })
        if (!/not allowed|private|address/i.test(test)) throw new Error(`${url} was requested: ${test}`)
      }
    }
  const broker = await installation.compose('logs', '--no-color', 'rabbitmq')
  if (/bad_header/.test(broker)) throw new Error('a webhook has reached the broker')
  return `${hosts.length * 2} URLs that lead inside: ${refused} refused when set, the rest when used`
}

/** Only the ports that the page names are open, on loopback; in a container, health and metrics stay inside. */
export async function checkPorts(installation: Installation): Promise<string> {
  const published: { service: string; address: string }[] = []
  for (const { name, service } of await installation.services()) {
    const lines = (await installation.docker('port', name)).split('\n').filter(Boolean)
    published.push(...lines.map((line) => ({ service, address: line.split(' -> ')[1]! })))
  }
  const open = published.filter(
    ({ service, address }) => service !== 'proxy' && !address.startsWith('127.0.0.1:'),
  )
  if (open.length > 0)
    throw new Error(`open to the network: ${open.map(({ address }) => address).join(', ')}`)
  return published.map(({ service, address }) => `${service} ${address}`).join(', ')
}

/** Secrets, and a text and a number of a message, must be in no place where they do not belong. */
export async function findCanaries(installation: Installation, volumes: string | null): Promise<string> {
  const text = `CANARY${Date.now().toString(36)}TEXT`
  const to = `016${String(Date.now()).slice(-4)}0001`
  const headers = { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ from: '0212345678', to, text })
  const sent = await (await fetch(`${api}/v1/send/sms`, { method: 'POST', headers, body })).text()
  if (!sent.includes('"A000"')) throw new Error(`not accepted: ${sent}`)
  const { databaseUrl, directory, environment } = await addresses(installation)
  const passwords = [
    'DATABASE_PASSWORD',
    'DATABASE_API_PASSWORD',
    'DATABASE_WORKER_PASSWORD',
    'VALKEY_PASSWORD',
  ]
  const secrets = [
    installation.key,
    ...['MASTER_KEY', 'POSTERN_TOKEN_SECRET', 'BROKER_PASSWORD', ...passwords].map((name) =>
      installation.setting(name),
    ),
  ]
  writeFileSync(
    join(directory, 'containers.log'),
    await installation.compose('--profile', '*', 'logs', '--no-color'),
  )
  const found = [
    ...(await searchDatabase(databaseUrl, secrets)),
    ...(await searchBroker(environment, secrets)),
    ...(await searchRedis(environment, [...secrets, text, to.slice(1)])),
    ...searchLogs(directory, [...secrets, text, to.slice(1)]),
    ...(volumes === null ? [] : searchFiles(volumes, secrets)),
  ]
  if (found.length > 0) throw new Error(found.join('\n'))
  const stored = await searchDatabase(databaseUrl, [text])
  if (stored.length === 0)
    throw new Error('the search does not find the text in the database, so it proves nothing')
  return `${secrets.length} secrets in no table, queue, key, log or volume; text and number in no log`
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
