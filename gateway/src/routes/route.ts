/** A route: where messages of some channels may go, and at what pace. */
import type { ChannelName } from '../channels/channel.ts'

export interface Route {
  readonly id: string
  readonly channels: readonly ChannelName[]
  readonly protocol: string
  readonly options: Readonly<Record<string, unknown>>
  readonly priority: number
  /** 0: as fast as the carrier's window allows. */
  readonly partsPerSecond: number
  readonly enabled: boolean
}

/** The first enabled route of the channel by priority; null when nothing serves it. */
export function chooseRoute(routes: readonly Route[], channel: ChannelName): Route | null {
  let best: Route | null = null
  for (const route of routes) {
    if (!route.enabled || !route.channels.includes(channel)) continue
    if (best === null || route.priority < best.priority) best = route
  }
  return best
}
