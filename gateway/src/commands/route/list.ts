/**
 * `postern route list`: every route in the order of preference, with its rules, its worker and its health. Below a route
 * with several owners there is a line for each of its shares.
 */
import { listRoutes as readRoutes } from '../../acts/list-routes.ts'
import { withDatabase } from '../connect.ts'
import type { Invocation } from '../invocation.ts'
import type { Result } from '../result.ts'
import { routesResult } from './view.ts'

export function listRoutes(invocation: Invocation): Promise<Result> {
  return withDatabase(invocation, async (database) => {
    const listed = await readRoutes(database)
    return routesResult(listed.map(({ route, ...state }) => ({ ...route, ...state })))
  })
}
