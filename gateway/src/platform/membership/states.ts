/**
 * The states of a member and of a thing as its owner sees it. Every change of a state is one of these transitions:
 *
 * | Member  | Event  | Becomes |                                                              |
 * | ------- | ------ | ------- | ------------------------------------------------------------ |
 * | joining | renew  | active  | PostgreSQL has stored the first heartbeat.                   |
 * | active  | renew  | active  |                                                              |
 * | active  | lose   | cut off | No heartbeat was stored for five seconds.                    |
 * | cut off | renew  | active  |                                                              |
 * | joining | leave  | leaving | The process stops.                                           |
 * | active  | leave  | leaving |                                                              |
 * | cut off | leave  | leaving |                                                              |
 *
 * | Thing    | Event   | Becomes  |                                                            |
 * | -------- | ------- | -------- | ---------------------------------------------------------- |
 * | free     | claim   | taken    | Its row names this member.                                 |
 * | taken    | start   | running  | This process works on it.                                  |
 * | taken    | abandon | free     | It is not wanted, or another member has it.                |
 * | running  | stop    | stopping | The same, or this process is cut off or leaves.            |
 * | stopping | release | free     | The work has ended, and its row is deleted if it was ours. |
 */

export type MemberState = 'joining' | 'active' | 'cut off' | 'leaving'
export type ThingState = 'free' | 'taken' | 'running' | 'stopping'

type Event<State extends string> = Readonly<Partial<Record<State, State>>>

export const memberTransitions = {
  renew: { joining: 'active', active: 'active', 'cut off': 'active' },
  lose: { active: 'cut off' },
  leave: { joining: 'leaving', active: 'leaving', 'cut off': 'leaving' },
} as const satisfies Record<string, Event<MemberState>>

export const thingTransitions = {
  claim: { free: 'taken' },
  start: { taken: 'running' },
  abandon: { taken: 'free' },
  stop: { running: 'stopping' },
  release: { stopping: 'free' },
} as const satisfies Record<string, Event<ThingState>>

/** Returns the state after the event; throws if the event cannot happen in this state. */
export function next<State extends string>(event: Event<State>, state: State): State {
  const after = event[state]
  if (after === undefined) throw new Error(`this cannot happen in the state '${state}'`)
  return after
}
