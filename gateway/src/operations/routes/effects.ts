/** Describes the effect of each action on waiting steps and on new messages, for operators. */
export const effects = {
  enable: 'It accepts messages again, and waiting messages are sent.',
  pause:
    'It stays linked and submits nothing. After its failover time, new and waiting messages move to other routes that serve them; the rest wait until it is enabled or their deadline passes.',
  drain:
    'It stays linked for outstanding receipts and accepts nothing new. Waiting messages move to other routes that serve them immediately; the rest wait until it is enabled or their deadline passes. New messages that no other route serves fail with 90000.',
  disable:
    'Its link is closed, so outstanding receipts do not arrive. Waiting messages move to other routes that serve them; the rest wait until it is enabled or their deadline passes. New messages that no other route serves fail with 90000.',
  delete:
    'Its link is closed. Waiting messages move to other routes that serve them; the rest fail, because no route serves them.',
  rate: 'Its owner submits at the new rate within two seconds, over the same link.',
} as const
