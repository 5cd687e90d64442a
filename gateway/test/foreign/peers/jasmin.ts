/**
 * Starts Jasmin with its own configuration on the broker and the Redis of the environment, and sets it up on
 * its console: as a client of one SMSC and a server for one user. The queue of its connector is removed at the
 * end; its keys in Redis expire.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Connection } from 'rabbitmq-client'
import { choosePort } from '../../../../tools/engines/free-ports.ts'
import { brokerUrls, serviceUrl } from '../../support/engines/services.ts'
import { waitFor } from '../../support/wait.ts'
import { isOpen, openFolder, startDaemon, type Daemon } from './http-client.ts'
import { amqpSpecification, jasmin } from './install.ts'

export const jasminUser = { name: 'postern', password: 'secret08' } as const

export interface Upstream {
  readonly port: number
  readonly systemId: string
  readonly password: string
}

export interface Jasmin {
  readonly httpPort: number
  readonly smppPort: number
  /** Ends the bind to the SMSC. */
  unbind(): Promise<void>
  /** Limits submissions per second of its user; null removes the limit. */
  limitUser(perSecond: number | null): Promise<void>
  close(): Promise<void>
}

const lockFile = '/tmp/jasmind.lock'
const startWithinMs = 180_000
const answerWithinMs = 60_000

export async function startJasmin({ port, systemId, password }: Upstream): Promise<Jasmin> {
  const folder = openFolder()
  const connector = `peer-${randomBytes(4).toString('hex')}`
  const [httpPort, smppPort, consolePort] = [await choosePort(), await choosePort(), await choosePort()]
  const environment = await writeConfiguration(folder.path, { httpPort, smppPort, consolePort })
  const programs = join(jasmin, 'bin')
  const daemon = startDaemon(
    join(programs, 'python'),
    [join(programs, 'jasmind.py'), '--enable-dlr-thrower', '--enable-dlr-lookup'],
    folder.path,
    environment,
  )
  const close = async (): Promise<void> => {
    await daemon.stop('SIGTERM')
    // Only one Jasmin can run on a machine. A killed one leaves its lock file behind.
    if (!isLockedOut(daemon)) rmSync(lockFile, { force: true })
    await deleteQueue(`submit.sm.${connector}`)
    folder.remove()
  }
  try {
    await waitFor(
      'Jasmin',
      async () => {
        if (isLockedOut(daemon)) throw new Error(`another Jasmin runs; if there is none, remove ${lockFile}`)
        if (daemon.ended) throw new Error(`Jasmin ended: ${daemon.log()}`)
        return isOpen(consolePort)
      },
      { timeoutMs: startWithinMs },
    )
    await instruct(consolePort, [
      ...['group -a', 'gid peers', 'ok'],
      ...['user -a', `username ${jasminUser.name}`, `password ${jasminUser.password}`],
      ...['gid peers', 'uid peer', 'ok'],
      ...['smppccm -a', `cid ${connector}`, 'host 127.0.0.1', `port ${port}`],
      ...[`username ${systemId}`, `password ${password}`, 'submit_throughput 0', 'dlr_expiry 600'],
      ...['elink_interval 2', 'con_loss_delay 1', 'con_fail_delay 1', 'requeue_delay 2', 'ok'],
      ...['mtrouter -a', 'type DefaultRoute', `connector smppc(${connector})`, 'rate 0', 'ok'],
      `smppccm -1 ${connector}`,
    ])
  } catch (error) {
    await close()
    throw error
  }
  return {
    httpPort,
    smppPort,
    close,
    unbind: () => instruct(consolePort, [`smppccm -0 ${connector}`]),
    limitUser: (perSecond) =>
      instruct(consolePort, [
        ...['user -u peer', `mt_messaging_cred quota smpps_throughput ${perSecond ?? 'none'}`, 'ok'],
      ]),
  }
}

function isLockedOut(daemon: Daemon): boolean {
  return daemon.ended && daemon.log().includes('Lock not acquired')
}

async function writeConfiguration(
  folder: string,
  { httpPort, smppPort, consolePort }: Readonly<Record<'httpPort' | 'smppPort' | 'consolePort', number>>,
): Promise<Readonly<Record<string, string>>> {
  const [broker, redis] = [new URL(brokerUrls()[0]!), new URL(serviceUrl('POSTERN_REDIS_URL'))]
  const local = async (): Promise<Record<string, string>> => ({
    bind: '127.0.0.1',
    port: String(await choosePort()),
  })
  const sections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'amqp-broker': {
      host: broker.hostname,
      port: broker.port || '5672',
      spec: join(folder, 'amqp.xml'),
      username: broker.username || 'guest',
      password: broker.password || 'guest',
      vhost: decodeURIComponent(broker.pathname.slice(1)) || '/',
    },
    'redis-client': { host: redis.hostname, port: redis.port || '6379' },
    'http-api': { bind: '127.0.0.1', port: String(httpPort) },
    'smpp-server': { bind: '127.0.0.1', port: String(smppPort), dlr_expiry: '600' },
    jcli: { bind: '127.0.0.1', port: String(consolePort), authentication: 'no' },
    router: await local(),
    'client-management': await local(),
    'smpp-server-pb': await local(),
    'sm-listener': { submit_error_retrial: "{'ESME_RTHROTTLED': {'count': 20, 'delay': 2}}" },
  }
  const text = Object.entries(sections).map(([name, settings]) =>
    [`[${name}]`, ...Object.entries(settings).map(([key, value]) => `${key} = ${value}`), ''].join('\n'),
  )
  for (const name of ['etc/jasmin/store', 'log']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'etc/jasmin/jasmin.cfg'), text.join('\n'))
  copyFileSync(amqpSpecification, join(folder, 'amqp.xml'))
  return { ROOT_PATH: folder, LOG_PATH: join(folder, 'log') }
}

async function deleteQueue(queue: string): Promise<void> {
  const connection = new Connection({ url: brokerUrls()[0]!, acquireTimeout: 5_000 })
  connection.on('error', () => undefined)
  try {
    await connection.queueDelete({ queue })
  } finally {
    await connection.close()
  }
}

/** Types lines into the console of Jasmin, which shows a prompt after each line but none at first. */
async function instruct(port: number, lines: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  let read = ''
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => (read += chunk.toString('latin1')))
  await once(socket, 'connect')
  const untilRead = async (end: RegExp): Promise<void> => {
    await waitFor('the console of Jasmin', () => end.test(read), { timeoutMs: answerWithinMs }).catch(
      (error: unknown) => {
        throw new Error(`${(error as Error).message}: ${JSON.stringify(read.slice(-300))}`, { cause: error })
      },
    )
  }
  try {
    await untilRead(/Session ref: \d+\s/)
    for (const line of lines) {
      read = ''
      socket.write(`${line}\r\n`)
      await untilRead(/(jcli : |> )$/)
      if (/Error|Unknown|Failed|Invalid|Incorrect/.test(read))
        throw new Error(`Jasmin rejected '${line}': ${read.slice(-300)}`)
    }
  } finally {
    socket.destroy()
  }
}
