// Files and environment of a RabbitMQ node. The environment is complete: nothing of a RabbitMQ of the system
// (configuration, cookie, epmd) is used. Flushing to disk is unchanged.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../paths.ts'
import { host } from '../ports.ts'
import { programs } from '../programs.ts'
import type { ServiceSet } from '../service-set.ts'

/** The default account of RabbitMQ (password "guest"), which it admits from loopback only. */
export const brokerUser = 'guest'

/** Free disk space in bytes below which publishers are blocked. */
export const normalDiskLimit = 200_000_000

export interface NodeSettings {
  readonly number: number
  readonly nodeName: string
  readonly amqp: number
  readonly distribution: number
  /** Port of the Prometheus metrics; only the nodes of a cluster listen on it. */
  readonly metrics: number
  readonly clustered: boolean
  /** Folder of the Erlang cookie, shared by all nodes. */
  readonly home: string
  readonly folder: string
  readonly mnesia: string
  readonly log: string
}

export function nodeSettings(set: ServiceSet, number: number): NodeSettings {
  const ports = set.ports.nodes[number - 1]
  if (!ports) throw new Error(`RabbitMQ node ${number} does not exist`)
  const home = join(set.paths.directory, 'rabbitmq')
  const folder = join(home, `node-${number}`)
  const nodeName = toNodeName(number)
  const clustered = set.nodes > 1
  return {
    number,
    nodeName,
    clustered,
    ...ports,
    home,
    folder,
    mnesia: join(folder, 'mnesia'),
    log: set.paths.log,
  }
}

export function toNodeName(number: number): string {
  return `postern-${number}@localhost`
}

export function nodeFiles(node: NodeSettings): Record<string, string> {
  // A blank node other than the first joins the first one while it boots.
  const peers = [
    'cluster_formation.peer_discovery_backend = classic_config',
    `cluster_formation.classic_config.nodes.1 = ${toNodeName(1)}`,
    `cluster_formation.classic_config.nodes.2 = ${node.nodeName}`,
  ]
  const settings = [
    '# Written at every start; changes are lost.',
    `listeners.tcp.1 = ${host}:${node.amqp}`,
    'heartbeat = 10',
    'consumer_timeout = 1800000',
    `disk_free_limit.absolute = ${normalDiskLimit}`,
    'vm_memory_high_watermark.absolute = 2GB',
    'log.file.level = warning',
    ...(node.number > 1 ? peers : []),
    ...(node.clustered ? clusterSettings(node) : []),
  ]
  return {
    'rabbitmq.conf': `${settings.join('\n')}\n`,
    'advanced.config': '[].\n',
    enabled_plugins: node.clustered ? '[rabbitmq_prometheus].\n' : '[].\n',
    'rabbitmq-env.conf': '',
  }
}

function clusterSettings({ metrics }: NodeSettings): string[] {
  const monitoring = [`prometheus.tcp.ip = ${host}`, `prometheus.tcp.port = ${metrics}`]
  const shipped = readFileSync(join(projectRoot, 'compose.production.yaml'), 'utf8')
  // RabbitMQ 3.10 does not start with the settings that add queue members on new nodes.
  const known = programs().rabbitmq.includes('rabbitmq_server-3.')
    ? /cluster_partition_handling = \S+/g
    : /(cluster_partition_handling|quorum_queue\.\S+) = \S+/g
  return [...monitoring, ...shipped.match(known)!]
}

export function nodeEnvironment(set: ServiceSet, node: NodeSettings): Record<string, string> {
  const loopback = '-kernel inet_dist_use_interface {127,0,0,1}'
  return {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    LANG: 'C.UTF-8',
    HOME: node.home,
    ERL_EPMD_PORT: String(set.ports.epmd),
    ERL_CRASH_DUMP: join(node.log, `erl_crash-${node.number}.dump`),
    RABBITMQ_NODENAME: node.nodeName,
    RABBITMQ_DIST_PORT: String(node.distribution),
    RABBITMQ_MNESIA_BASE: node.mnesia,
    RABBITMQ_LOG_BASE: node.log,
    RABBITMQ_CONFIG_FILE: join(node.folder, 'rabbitmq.conf'),
    RABBITMQ_CONFIG_FILES: join(node.folder, 'conf.d'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(node.folder, 'advanced.config'),
    RABBITMQ_CONF_ENV_FILE: join(node.folder, 'rabbitmq-env.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(node.folder, 'enabled_plugins'),
    RABBITMQ_GENERATED_CONFIG_DIR: join(node.folder, 'generated'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: loopback,
    RABBITMQ_CTL_ERL_ARGS: loopback,
    RABBITMQ_CTL_DIST_PORT_MIN: String(set.ports.control),
    RABBITMQ_CTL_DIST_PORT_MAX: String(set.ports.control + 10),
    // Bound schedulers of several nodes would compete for the same cores.
    RABBITMQ_SCHEDULER_BIND_TYPE: 'u',
    // The start script execs the Erlang VM, so that the pid of the script is the pid to stop.
    detached: '1',
  }
}
