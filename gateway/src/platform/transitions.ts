/** Named states: a table lists the states that may follow each state; an end state has no successor. */
export type Transitions = Readonly<Record<string, readonly string[]>>

/** The states of a table from which no other state follows. */
export type EndState<Table extends Transitions> = {
  [State in keyof Table]: Table[State] extends readonly [] ? State : never
}[keyof Table]

/**
 * Creates the function that moves an object to its next state and adds the details of that state. The compiler and the
 * function itself reject a transition that is not in the table.
 */
export function createMove<Table extends Transitions>(table: Table) {
  return <
    From extends { readonly state: keyof Table & string },
    To extends Table[From['state']][number],
    Details extends object,
  >(
    from: From,
    to: To,
    details?: Details,
  ): Omit<From, 'state'> & Details & { readonly state: To } => {
    if (!table[from.state]!.includes(to)) throw new Error(`'${to}' cannot follow the state '${from.state}'`)
    return { ...from, ...(details as Details), state: to }
  }
}
