/** From an empty directory to the first report, the console and TLS, with the commands of the page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { waitForCondition } from '../../engines/wait-for-condition.ts'
import { SmppClient } from '../../../gateway/test/support/smpp/client.ts'
import { seeMessage } from '../../../console/test/support/see-message.ts'
import type { Installation } from './installation.ts'
import type { Report } from '../../engines/step-report.ts'

export const page = 'compose.md'
export const api = 'http://127.0.0.1:8080'

export async function start(report: Report, installation: Installation): Promise<boolean> {
  const from = performance.now()
  const isStarted = await report.step('build and start', async () => {
    await installation.follow(page, 'Start')
    const services = await installation.services()
    return `${services.length} containers: ${services.map(({ service, state }) => `${service} ${state}`).join(', ')}`
  })
  return (
    isStarted &&
    report.step('first message to its report', async () => {
      const printed = await installation.follow(page, 'Send a message')
      if (!printed.includes('"code":"A000"')) throw new Error(`not accepted:\n${printed}`)
      await readReport(api, installation.key)
      const seconds = Math.round((performance.now() - from) / 1000)
      // The checkout is a command as well.
      return `${installation.commands + 1} commands and ${seconds} s from an empty directory to the first report`
    })
  )
}

/** Waits for the report of the first message, and acknowledges it. */
export async function readReport(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  let text = ''
  const isReported = await waitForCondition(30_000, async () => {
    text = await (await fetch(`${url}/v1/report/polling`, { headers })).text()
    const id = /"reportId":"(\w+)"/.exec(text)?.[1]
    if (id === undefined || !text.includes('"reportCode":"10000"')) return false
    return (await fetch(`${url}/v1/report/polling/${id}`, { method: 'DELETE', headers })).ok
  })
  if (!isReported) throw new Error(`not delivered within 30 s: ${text}`)
}

export async function checkRights(installation: Installation): Promise<string> {
  const query = `select usename, count(*) from pg_stat_activity where client_addr is not null group by 1 order by 1`
  const users = await installation.sql(query)
  const privileged = await installation.sql(
    `select distinct usename from pg_stat_activity join pg_roles on rolname = usename where client_addr is not null
       and (rolsuper or rolcreaterole or pg_has_role(rolname, (select tableowner from pg_tables where tablename = 'messages'), 'member'))`,
  )
  if (privileged.some(Boolean)) throw new Error(`processes connect as ${privileged.join(', ')}`)
  for (const { name, service } of (await installation.services()).filter(
    ({ state }) => state === 'running',
  )) {
    if (['postgres', 'rabbitmq', 'valkey', 'proxy'].includes(service)) continue
    const { Config, HostConfig } = JSON.parse(
      await installation.docker('inspect', '--format', '{{json .}}', name),
    ) as {
      Config: { User: string; Env: string[] }
      HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null }
    }
    if (Config.User !== '65532:65532' || !HostConfig.ReadonlyRootfs || HostConfig.CapDrop?.[0] !== 'ALL')
      throw new Error(`${service} runs with more rights than it needs`)
    const password = installation.setting('DATABASE_PASSWORD')
    if (Config.Env.some((line) => line.includes(password)))
      throw new Error(`${service} has the owner's password`)
    if (service === 'worker' && Config.Env.some((line) => line.startsWith('POSTERN_TOKEN_SECRET=')))
      throw new Error('a worker has the token secret')
  }
  return `connections by ${users.join(', ').replaceAll('|', ': ')}; containers read-only, without capabilities`
}

/** Checks that only the proxy publishes ports beyond loopback, and returns all published ports. */
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

export async function signIn(installation: Installation): Promise<string> {
  await installation.follow(page, 'Sign in to the console')
  await seeMessage({
    link: 'http://127.0.0.1:8090/',
    key: installation.operatorKey,
    number: '01000000001',
    text: 'Hello from Postern',
  })
  return 'the key of the page signs in, and the first message is on its phone'
}

/** The faults send more messages than a new account may per day. */
export async function raiseCap(installation: Installation): Promise<string> {
  const day = '1000000'
  await installation.postern('protection', 'cap', 'demo', '--day', day, '--reason', 'deployments suite')
  return `${day} messages per day`
}

/** Returns the certificate of the proxy. */
export function certificate(installation: Installation): string {
  return readFileSync(join(installation.directory, 'certs/postern.pem'), 'utf8')
}

export async function useTls(installation: Installation): Promise<string> {
  await installation.follow(page, 'HTTPS and SMPP over TLS')
  const ca = certificate(installation)
  const dispatcher = new Agent({ connect: { ca } })
  for (const url of ['https://localhost/docs', 'https://localhost:8443/']) {
    const isServed = await waitForCondition(15_000, async () => (await fetch(url, { dispatcher })).ok)
    if (!isServed) throw new Error(`${url} is not served`)
  }
  const { headers } = await fetch('https://localhost/docs', { dispatcher })
  if (!headers.has('strict-transport-security')) throw new Error('no Strict-Transport-Security')
  await dispatcher.close()
  const why = ['--reason', 'deployments suite']
  await installation.postern('account', 'set', 'demo', '--smpp-binds', '2', ...why)
  const options = ['--name', 'binds', '--smpp', '--networks', '0.0.0.0/0', '--scopes', 'send,report']
  const printed = await installation.postern('account', 'key', 'add', 'demo', ...options, '--json')
  const { key } = JSON.parse(printed) as { key: string }
  let status = -1
  const isBound = await waitForCondition(20_000, async () => {
    const client = await SmppClient.connect(2776, { ca }).catch(() => undefined)
    status = (await client?.bind('demo', key).catch(() => -1)) ?? -1
    await client?.close()
    return status === 0
  })
  if (!isBound) throw new Error(`the bind over TLS ended with status ${status}`)
  return 'API and console over HTTPS, and an SMPP bind over TLS, through the proxy'
}
