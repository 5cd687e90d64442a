// Runs Erlang expressions on a RabbitMQ node through erl_call, which is much faster than rabbitmqctl: every
// test creates a vhost. Runs the programs of RabbitMQ for everything else.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { toEngineRoot } from '../engine-root.ts'
import { host } from '../ports.ts'
import { runProbe } from '../probe.ts'
import { programs } from '../programs.ts'
import { brokerUser, normalDiskLimit, nodeEnvironment, toNodeName, nodeSettings } from './settings.ts'
import { requireSet, createUrls } from '../service-set.ts'
import type { ServiceSet } from '../service-set.ts'

let calls = 0

/** Returns the value of an Erlang expression as Erlang prints it; undefined if the node does not respond. */
export async function evaluate(
  set: ServiceSet,
  number: number,
  expression: string,
): Promise<string | undefined> {
  const node = nodeSettings(set, number)
  const result = await runProbe({
    command: 'erl_call',
    // A node refuses a second peer of the same name, so the name is unique.
    args: [
      ...['-h', `call-${process.pid}-${++calls}`],
      ...['-address', `${host}:${node.distribution}`, '-timeout', '20', '-e'],
    ],
    env: nodeEnvironment(set, node),
    input: `${expression}\n`, // without a newline erl_call considers it incomplete
    timeoutMs: 25_000,
  })
  if (!result.ok) return undefined
  return /^\{ok, ([\s\S]*)\}$/.exec(result.output)?.[1] ?? result.output
}

/** Evaluates the expression on the first node that responds. */
async function evaluateAnywhere(set: ServiceSet, expression: string): Promise<string> {
  for (let number = 1; number <= set.nodes; number++) {
    const value = await evaluate(set, number, expression)
    if (value !== undefined) return value
  }
  throw new Error('no RabbitMQ node responds; run npm run engines -- status')
}

function vhostTerm(name: string): string {
  // The name is interpolated into an Erlang expression.
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(name))
    throw new Error(`invalid vhost name '${name}': use 1 to 128 of A-Z a-z 0-9 . _ -`)
  return `<<"${name}">>`
}

/** Creates an empty vhost with full permissions for the default user; returns its broker URLs. */
export async function createVhost(name: string): Promise<string[]> {
  const set = requireSet()
  const vhost = vhostTerm(name)
  // The permissions to configure, to write and to read.
  const everything = Array<string>(3).fill('<<".*">>').join(', ')
  const done = await evaluateAnywhere(
    set,
    `rabbit_vhost:add(${vhost}, <<"postern">>), ` +
      `rabbit_auth_backend_internal:set_permissions(<<"${brokerUser}">>, ${vhost}, ${everything}, <<"postern">>).`,
  )
  if (done !== 'ok') throw new Error(`RabbitMQ failed to create vhost ${name}: ${done}`)
  return createUrls(set, name).brokerUrls
}

/** Deletes a vhost with its queues and their messages, if it exists. */
export async function deleteVhost(name: string): Promise<void> {
  const vhost = vhostTerm(name)
  const done = await evaluateAnywhere(
    requireSet(),
    `case rabbit_vhost:exists(${vhost}) of true -> rabbit_vhost:delete(${vhost}, <<"postern">>); false -> ok end.`,
  )
  if (done !== 'ok') throw new Error(`RabbitMQ failed to delete vhost ${name}: ${done}`)
}

/** Raises or clears a disk alarm, which blocks every publisher of the cluster, by changing the disk limit. */
export async function setDiskAlarm(number: number, on: boolean): Promise<void> {
  const limit = on ? 1e18 : normalDiskLimit
  const expression = `rabbit_disk_monitor:set_disk_free_limit(${limit}), rabbit_disk_monitor:get_disk_free_limit().`
  const done = await evaluate(requireSet(), number, expression)
  if (done !== String(limit))
    throw new Error(`RabbitMQ failed to change its disk limit: ${done ?? 'no response'}`)
}

/**
 * Cuts the connections of a node to the other nodes, or restores them. While the node expects another cookie from
 * them, neither side can connect, as if the network between them dropped every packet.
 */
export async function cutBrokerNode(number: number, isCut: boolean): Promise<void> {
  const set = requireSet()
  const others = Array.from({ length: set.nodes }, (_, index) => index + 1)
    .filter((other) => other !== number)
    .map((other) => `'${toNodeName(other)}'`)
  const change = isCut
    ? 'erlang:set_cookie(Node, cut), erlang:disconnect_node(Node)'
    : 'erlang:set_cookie(Node, erlang:get_cookie()), net_kernel:connect_node(Node)'
  const done = await evaluate(set, number, `[begin ${change} end || Node <- [${others.join()}]].`)
  if (done === undefined) throw new Error(`RabbitMQ node ${number} does not respond`)
}

/** Fails unless every node of the set is in one cluster. */
export async function checkBrokerCluster(set: ServiceSet): Promise<void> {
  const running = (await evaluate(set, 1, 'lists:sort(rabbit_mnesia:cluster_nodes(running)).')) ?? 'unknown'
  const missing = Array.from({ length: set.nodes }, (_, index) => toNodeName(index + 1)).filter(
    (name) => !running.includes(name),
  )
  if (missing.length === 0) return
  throw new Error(
    `RabbitMQ nodes are not in the cluster: ${missing.join(', ')}.\n  Start over: npm run engines -- wipe rabbitmq, then up`,
  )
}

/**
 * Runs a command of RabbitMQ, such as `rabbitmq-queues grow`, on the first node; throws its output if it
 * fails.
 */
export async function runBrokerCommand(command: string, ...args: string[]): Promise<void> {
  const set = requireSet()
  const env = nodeEnvironment(set, nodeSettings(set, 1))
  const done = await runProbe({ command: join(programs().rabbitmq, command), args, env, timeoutMs: 60_000 })
  if (!done.ok) throw new Error(`${command} ${args.join(' ')} failed:\n${done.output}`)
}

/** Runs rabbitmqctl on the first node, in this terminal. */
export function rabbitmqctl(args: readonly string[]): number {
  const set = requireSet()
  const env = nodeEnvironment(set, nodeSettings(set, 1))
  const program = toEngineRoot({ command: join(programs().rabbitmq, 'rabbitmqctl'), args })
  const done = spawnSync(program.command, program.args, { env, stdio: 'inherit' })
  return done.status ?? 1
}
