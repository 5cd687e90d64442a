// The engines of a set, by name and in order.

import type { Engine, EngineName } from './engine.ts'
import { largestCluster } from './ports.ts'
import { postgresEngine } from './postgres.ts'
import { rabbitmqEngine } from './rabbitmq.ts'
import { redisEngine } from './redis.ts'
import { runningFrom } from './process.ts'
import type { ServiceSet } from './set.ts'

export function nodesOf(set: ServiceSet): Engine[] {
  return Array.from({ length: set.nodes }, (_, index) => rabbitmqEngine(set, index + 1))
}

export function enginesOf(set: ServiceSet): Engine[] {
  return [postgresEngine(set), ...nodesOf(set), redisEngine(set)]
}

export function engineOf(set: ServiceSet, name: EngineName): Engine {
  const engine = enginesOf(set).find((candidate) => candidate.name === name)
  if (!engine) {
    throw new Error(
      `This set has ${set.nodes} RabbitMQ node(s): npm run services -- up --cluster ${largestCluster}`,
    )
  }
  return engine
}

export function runningNames(set: ServiceSet): EngineName[] {
  return enginesOf(set)
    .filter((engine) => runningFrom(engine.pidFile))
    .map((engine) => engine.name)
}
