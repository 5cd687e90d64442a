/** How many messages a send can become, read for the rate limit before the body is checked: an invalid body counts as one. */
import type { FastifyRequest } from 'fastify'
import { maxDestinations } from './omni.ts'

export function destinationCount(request: FastifyRequest): number {
  const destinations = (request.body as { destinations?: unknown } | null | undefined)?.destinations
  if (!Array.isArray(destinations)) return 1
  return Math.min(Math.max(1, destinations.length), maxDestinations)
}
