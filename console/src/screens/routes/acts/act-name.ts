/** What an operator does with a route; `open` is `enable` of one that was paused or drained. */
export type ActName = 'enable' | 'open' | 'pause' | 'drain' | 'disable' | 'rate'
