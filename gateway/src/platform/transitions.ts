/** Transition tables of named states: each state lists its possible successors; an end state lists none. */
export type Transitions = Readonly<Record<string, readonly string[]>>

export type EndState<Table extends Transitions> = {
  [State in keyof Table]: Table[State] extends readonly [] ? State : never
}[keyof Table]

/** Returns the next state. Throws if the table does not list it. */
export function enterState<Table extends Transitions, To extends keyof Table & string>(
  table: Table,
  from: keyof Table & string,
  to: To,
): To {
  if (!table[from]!.includes(to)) throw new Error(`the state '${to}' cannot follow '${from}'`)
  return to
}
