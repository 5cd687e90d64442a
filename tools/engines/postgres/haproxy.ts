// HAProxy in front of a pair of PostgreSQL servers: one address for the current primary. It checks each
// server every half second with `pg_is_in_recovery` in PostgreSQL's own protocol, so the servers need no
// agent. With Patroni, its REST endpoint /primary replaces this check.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../engine.ts'
import { host } from '../ports.ts'
import { runProbe } from '../probe.ts'
import { launch } from '../process.ts'
import { haproxyProgram } from '../programs.ts'
import type { ServiceSet } from '../service-set.ts'
import { sql } from './sql.ts'

/** Encodes a message of the PostgreSQL protocol (kind, length, body) as hexadecimal digits. */
function message(kind: string, body: Buffer): string {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body]).toString('hex')
}

const version = Buffer.from([0, 3, 0, 0])
const startup = message(
  '',
  Buffer.concat([version, Buffer.from('user\0postgres\0database\0postgres\0application_name\0haproxy\0\0')]),
)
const roleQuery = message('Q', Buffer.from('select pg_is_in_recovery()\0'))
/** One row with one column that contains `f`: the server is the primary. */
const primaryRow = message('D', Buffer.from([0, 1, 0, 0, 0, 1, 0x66]))
const readyForQuery = message('Z', Buffer.from('I'))
const terminate = message('X', Buffer.alloc(0))

export function haproxySettings({ ports }: ServiceSet): string {
  return `# Written at every start; changes are lost.
global
  maxconn 2000
defaults
  mode tcp
  timeout connect 2s
  timeout client 24h
  timeout server 24h
  timeout check 2s
  option clitcpka
  option srvtcpka
  retries 0
listen database
  bind ${host}:${ports.haproxy}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startup}
  tcp-check expect binary ${readyForQuery}
  tcp-check send-binary ${roleQuery}
  tcp-check expect binary ${primaryRow}
  tcp-check send-binary ${terminate}
  # A session left at a server that is no longer the primary would never end.
  default-server check inter 500ms fastinter 200ms downinter 200ms rise 1 fall 2 on-marked-down shutdown-sessions
  server first ${host}:${ports.postgres}
  server second ${host}:${ports.postgres2}
`
}

export function haproxyEngine(set: ServiceSet): Engine {
  const folder = join(set.paths.directory, 'haproxy')
  const settings = join(folder, 'haproxy.cfg')
  const log = join(set.paths.log, 'haproxy.log')
  const pidFile = join(set.paths.run, 'haproxy.json')
  const port = set.ports.haproxy
  const env = { PATH: process.env.PATH, LANG: 'C.UTF-8' }
  return {
    name: 'haproxy',
    port,
    pidFile,
    logs: [log],
    stopSignal: 'SIGTERM',
    startWithinMs: 10_000,
    prepare: () => {
      mkdirSync(folder, { recursive: true })
      writeFileSync(settings, haproxySettings(set))
      return Promise.resolve()
    },
    launch: () =>
      launch({ command: haproxyProgram, args: ['-db', '-f', settings], env, cwd: folder, log, pidFile }),
    isReady: async () => {
      // HAProxy distributes connections over both servers until its first check.
      for (let turn = 0; turn < 4; turn++) {
        const isStandby = await sql(port, 'select pg_is_in_recovery()').catch(() => 'unavailable')
        if (isStandby !== 'f') return false
      }
      return true
    },
    complete: () => Promise.resolve(),
    version: async () => {
      const { output } = await runProbe({ command: haproxyProgram, args: ['-v'], env })
      return /version (\d+\.\d+\.\d+)/.exec(output)?.[1] ?? 'unknown'
    },
  }
}
