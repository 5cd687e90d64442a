// Runs Erlang expressions on a RabbitMQ node through erl_call, which takes 5 ms where rabbitmqctl takes half a
// second: every test creates a vhost.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { confined } from './engine-root.ts'
import { host } from './ports.ts'
import { ask } from './probe.ts'
import { programs } from './programs.ts'
import {
  brokerUser,
  normalDiskLimit,
  nodeEnvironment,
  nodeNameOf,
  nodeSettings,
} from './rabbitmq-settings.ts'
import { requireSet, urlsOf } from './service-set.ts'
import type { ServiceSet } from './service-set.ts'

let calls = 0

/** The value of an Erlang expression on a node, as Erlang writes it; undefined if the node does not answer. */
export async function evaluate(
  set: ServiceSet,
  number: number,
  expression: string,
): Promise<string | undefined> {
  const node = nodeSettings(set, number)
  const answer = await ask({
    command: 'erl_call',
    // A unique name for every call: a node refuses a second peer of the same name.
    args: [
      ...['-h', `call-${process.pid}-${++calls}`],
      ...['-address', `${host}:${node.distribution}`, '-timeout', '20', '-e'],
    ],
    env: nodeEnvironment(set, node),
    input: `${expression}\n`, // without the line's end erl_call takes it for incomplete
    timeoutMs: 25_000,
  })
  if (!answer.ok) return undefined
  return /^\{ok, ([\s\S]*)\}$/.exec(answer.output)?.[1] ?? answer.output
}

/** On the first node that answers. */
async function evaluateAnywhere(set: ServiceSet, expression: string): Promise<string> {
  for (let number = 1; number <= set.nodes; number++) {
    const value = await evaluate(set, number, expression)
    if (value !== undefined) return value
  }
  throw new Error('No RabbitMQ node answers: npm run services -- status')
}

function vhostTerm(name: string): string {
  // It is interpolated into an Erlang expression.
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(name)) throw new Error(`Not a plain vhost name: ${name}`)
  return `<<"${name}">>`
}

/** Creates an empty vhost with full permissions for the default user; returns its broker URLs. */
export async function createVhost(name: string): Promise<string[]> {
  const set = requireSet()
  const vhost = vhostTerm(name)
  const everything = Array<string>(3).fill('<<".*">>').join(', ')
  const done = await evaluateAnywhere(
    set,
    `rabbit_vhost:add(${vhost}, <<"postern">>), ` +
      `rabbit_auth_backend_internal:set_permissions(<<"${brokerUser}">>, ${vhost}, ${everything}, <<"postern">>).`,
  )
  if (done !== 'ok') throw new Error(`RabbitMQ did not create the vhost ${name}: ${done}`)
  return urlsOf(set, name).brokerUrls
}

/** With its queues and everything in them; no error if it does not exist. */
export async function deleteVhost(name: string): Promise<void> {
  const vhost = vhostTerm(name)
  const done = await evaluateAnywhere(
    requireSet(),
    `case rabbit_vhost:exists(${vhost}) of true -> rabbit_vhost:delete(${vhost}, <<"postern">>); false -> ok end.`,
  )
  if (done !== 'ok') throw new Error(`RabbitMQ did not delete the vhost ${name}: ${done}`)
}

/** A disk alarm blocks every publisher of the cluster. It is raised by the limit, whatever the disk has free. */
export async function setDiskAlarm(number: number, on: boolean): Promise<void> {
  const limit = on ? 1e18 : normalDiskLimit
  const expression = `rabbit_disk_monitor:set_disk_free_limit(${limit}), rabbit_disk_monitor:get_disk_free_limit().`
  const done = await evaluate(requireSet(), number, expression)
  if (done !== String(limit))
    throw new Error(`RabbitMQ did not change its disk limit: ${done ?? 'no answer'}`)
}

/** Fails unless every node of the set is in one cluster. */
export async function checkCluster(set: ServiceSet): Promise<void> {
  const running = (await evaluate(set, 1, 'lists:sort(rabbit_mnesia:cluster_nodes(running)).')) ?? 'unknown'
  const missing = Array.from({ length: set.nodes }, (_, index) => nodeNameOf(index + 1)).filter(
    (name) => !running.includes(name),
  )
  if (missing.length === 0) return
  throw new Error(
    `RabbitMQ runs, but not in the cluster: ${missing.join(', ')}.\n  Start over: npm run services -- wipe rabbitmq, then up`,
  )
}

/** Runs a command of RabbitMQ, such as `rabbitmq-queues grow`, on the first node; fails with its output. */
export async function runBrokerCommand(command: string, ...args: string[]): Promise<void> {
  const set = requireSet()
  const env = nodeEnvironment(set, nodeSettings(set, 1))
  const done = await ask({ command: join(programs().rabbitmq, command), args, env, timeoutMs: 60_000 })
  if (!done.ok) throw new Error(`${command} ${args.join(' ')} failed:\n${done.output}`)
}

/** Runs RabbitMQ's own command on the first node, in this terminal. */
export function rabbitmqctl(args: readonly string[]): number {
  const set = requireSet()
  const env = nodeEnvironment(set, nodeSettings(set, 1))
  const program = confined({ command: join(programs().rabbitmq, 'rabbitmqctl'), args })
  const done = spawnSync(program.command, program.args, { env, stdio: 'inherit' })
  return done.status ?? 1
}
