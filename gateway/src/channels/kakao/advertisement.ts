/** Whether a friendtalk or a brand message is an advertisement: for its lane, for connectors and on the wire. Pure. */

/** It is one unless the client says otherwise. */
export function adFlagOf({ adFlag = 'Y' }: { readonly adFlag?: 'Y' | 'N' }): 'Y' | 'N' {
  return adFlag
}
