/** What each act on a route does, in words for operators: printed by commands, answered by the admin API. Pure data. */

/** What happens to the steps that wait for the route, and to new messages, for operators. */
export const effects = {
  enable: 'It takes messages again, and what waits for it is sent.',
  pause:
    'It stays linked and submits nothing. Messages that other routes serve take those, also what waits for it, after its time of failover; the rest waits for it until it is enabled or their deadline passes.',
  drain:
    'It stays linked for the receipts that it is owed, and takes nothing new. What waits for it moves to other routes that serve it at once; the rest waits until it is enabled or their deadline passes. New messages that no other route serves fail with 90000.',
  disable:
    'Its link is closed: receipts of what it submitted do not arrive while it is. What waits for it moves to other routes that serve it; the rest waits until it is enabled again or their deadline passes. New messages that no other route serves fail with 90000.',
  delete:
    'Its link is closed. What waits for it moves to other routes that serve it; the rest fails, because no route serves it.',
  rate: 'Its owner submits at the new rate within two seconds, over the same link.',
} as const
