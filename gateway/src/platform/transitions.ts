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

/** Creates the function that moves an object to its next state and adds the details of that state. */
export function createMove<Table extends Transitions>(table: Table) {
  return <
    From extends { readonly state: keyof Table & string },
    To extends Table[From['state']][number],
    Details extends object,
  >(
    from: From,
    to: To,
    details?: Details,
  ): Omit<From, 'state'> & Details & { readonly state: To } => ({
    ...from,
    ...(details as Details),
    state: enterState(table, from.state, to),
  })
}
