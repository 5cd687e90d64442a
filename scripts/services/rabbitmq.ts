// One RabbitMQ node, on its own ports and data; nodes find each other through an epmd of their own.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, EngineName } from './engine.ts'
import { ensureCookie, ensureEpmd } from './epmd.ts'
import { answers } from './probe.ts'
import { launch } from './process.ts'
import { programs } from './programs.ts'
import { evaluate } from './rabbitmq-control.ts'
import { nodeEnvironment, nodeFiles, nodeSettings } from './rabbitmq-settings.ts'
import type { ServiceSet } from './set.ts'

export function rabbitmqEngine(set: ServiceSet, number: number): Engine {
  const node = nodeSettings(set, number)
  const name: EngineName = number === 2 ? 'rabbitmq-2' : number === 3 ? 'rabbitmq-3' : 'rabbitmq'
  const output = join(set.places.log, `${name}.log`)
  const pidFile = join(set.places.run, `${name}.json`)
  return {
    name,
    port: node.amqp,
    pidFile,
    logs: [output, join(set.places.log, `${node.nodeName}.log`)],
    stopSignal: 'SIGTERM',
    startWithinMs: 90_000, // a member of a cluster may wait for the others
    prepare: async () => {
      mkdirSync(node.mnesia, { recursive: true })
      for (const [file, text] of Object.entries(nodeFiles(node))) writeFileSync(join(node.folder, file), text)
      ensureCookie(node.home)
      await ensureEpmd(set)
    },
    launch: () =>
      launch({
        command: join(programs().rabbitmq, 'rabbitmq-server'),
        args: [],
        env: nodeEnvironment(set, node),
        cwd: node.folder,
        log: output,
        pidFile,
      }),
    // It listens before it has finished booting, so the second question is needed; the first spares the log.
    isReady: async () =>
      (await answers(node.amqp)) && (await evaluate(set, number, 'rabbit:is_running().')) === 'true',
    complete: () => Promise.resolve(),
    version: () => Promise.resolve(/rabbitmq_server-([^/]+)/.exec(programs().rabbitmq)?.[1] ?? 'unknown'),
  }
}

/** Whether the node has ever run: a blank one must find the first node up in order to join it. */
export function isBlank(set: ServiceSet, number: number): boolean {
  const node = nodeSettings(set, number)
  return !existsSync(join(node.mnesia, node.nodeName))
}
