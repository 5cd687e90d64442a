import type { Engine, EngineName } from './engine.ts'
import { haproxyEngine } from './postgres/haproxy.ts'
import { maxNodes } from './ports.ts'
import { postgresEngine } from './postgres/postgres.ts'
import { rabbitmqEngine } from './rabbitmq/rabbitmq.ts'
import { redisEngine } from './redis.ts'
import { runningFrom } from './process.ts'
import type { ServiceSet } from './service-set.ts'

export function listBrokerNodes(set: ServiceSet): Engine[] {
  return Array.from({ length: set.nodes }, (_, index) => rabbitmqEngine(set, index + 1))
}

/** Returns the PostgreSQL server; for a pair the primary, the standby and HAProxy, in starting order. */
export function listDatabases(set: ServiceSet): Engine[] {
  if (!set.pair) return [postgresEngine(set)]
  const { primary } = set.pair
  return [postgresEngine(set, primary), postgresEngine(set, primary === 1 ? 2 : 1), haproxyEngine(set)]
}

export function listEngines(set: ServiceSet): Engine[] {
  return [...listDatabases(set), ...listBrokerNodes(set), redisEngine(set)]
}

export function getEngine(set: ServiceSet, name: EngineName): Engine {
  const engine = listEngines(set).find((candidate) => candidate.name === name)
  if (!engine) {
    const flag = name.startsWith('rabbitmq') ? `--cluster ${maxNodes}` : '--standby'
    throw new Error(`this set has no ${name}; run npm run engines -- up ${flag}`)
  }
  return engine
}

export function runningNames(set: ServiceSet): EngineName[] {
  return listEngines(set)
    .filter((engine) => runningFrom(engine.pidFile))
    .map((engine) => engine.name)
}
