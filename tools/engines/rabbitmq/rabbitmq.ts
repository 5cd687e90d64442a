// One RabbitMQ node on its own ports and data; the nodes share the project's epmd.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine, EngineName } from '../engine.ts'
import { ensureCookie, ensureEpmd } from './epmd.ts'
import { probePort } from '../probe.ts'
import { launch } from '../process.ts'
import { programs } from '../programs.ts'
import { evaluate } from './control.ts'
import { nodeEnvironment, nodeFiles, nodeSettings } from './settings.ts'
import type { ServiceSet } from '../service-set.ts'

export function rabbitmqEngine(set: ServiceSet, number: number): Engine {
  const node = nodeSettings(set, number)
  const name: EngineName = number === 2 ? 'rabbitmq-2' : number === 3 ? 'rabbitmq-3' : 'rabbitmq'
  const output = join(set.paths.log, `${name}.log`)
  const pidFile = join(set.paths.run, `${name}.json`)
  return {
    name,
    port: node.amqp,
    pidFile,
    logs: [output, join(set.paths.log, `${node.nodeName}.log`)],
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
    // RabbitMQ listens before it has finished booting, so the second check is needed; the first avoids log
    // entries.
    isReady: async () =>
      (await probePort(node.amqp)) && (await evaluate(set, number, 'rabbit:is_running().')) === 'true',
    complete: () => Promise.resolve(),
    version: () => Promise.resolve(/rabbitmq_server-([^/]+)/.exec(programs().rabbitmq)?.[1] ?? 'unknown'),
  }
}

/** Deletes the data of a killed node, so that its next start joins the cluster as a new node. */
export function wipeNode(set: ServiceSet, number: number): void {
  rmSync(nodeSettings(set, number).mnesia, { recursive: true, force: true })
}

/** Reports whether the node has never run: a blank node needs the first node running in order to join it. */
export function isBlank(set: ServiceSet, number: number): boolean {
  const node = nodeSettings(set, number)
  return !existsSync(join(node.mnesia, node.nodeName))
}
