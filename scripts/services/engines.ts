// The engines of a set, by name and in order.

import type { Engine, EngineName } from './engine.ts'
import { haproxyEngine } from './haproxy.ts'
import { maxNodes } from './ports.ts'
import { postgresEngine } from './postgres.ts'
import { rabbitmqEngine } from './rabbitmq.ts'
import { redisEngine } from './redis.ts'
import { runningFrom } from './process.ts'
import type { ServiceSet } from './service-set.ts'

export function nodesOf(set: ServiceSet): Engine[] {
  return Array.from({ length: set.nodes }, (_, index) => rabbitmqEngine(set, index + 1))
}

/** One PostgreSQL; or the primary, the standby and HAProxy in front of them, in starting order. */
export function databasesOf(set: ServiceSet): Engine[] {
  if (!set.pair) return [postgresEngine(set)]
  const { primary } = set.pair
  return [postgresEngine(set, primary), postgresEngine(set, primary === 1 ? 2 : 1), haproxyEngine(set)]
}

export function enginesOf(set: ServiceSet): Engine[] {
  return [...databasesOf(set), ...nodesOf(set), redisEngine(set)]
}

export function engineOf(set: ServiceSet, name: EngineName): Engine {
  const engine = enginesOf(set).find((candidate) => candidate.name === name)
  if (!engine) {
    const flag = name.startsWith('rabbitmq') ? `--cluster ${maxNodes}` : '--standby'
    throw new Error(`This set has no ${name}: npm run services -- up ${flag}`)
  }
  return engine
}

export function runningNames(set: ServiceSet): EngineName[] {
  return enginesOf(set)
    .filter((engine) => runningFrom(engine.pidFile))
    .map((engine) => engine.name)
}
