/** The operations of the admin API that commands use: `npm run generate` writes their types to `operations.ts`. Pure data. */
export const usedOperations = [
  'showMe',
  ...['showMessage', 'searchRecipient', 'cancelMessage'],
  ...['listRoutes', 'showRoute', 'explainRoute', 'enableRoute', 'pauseRoute', 'drainRoute', 'disableRoute'],
  ...['setRouteRate', 'deleteRoute'],
  ...['listAccounts', 'showAccount', 'blockAccount', 'showAccountStop', 'unblockAccount'],
  ...['listSenders', 'findSender', 'showSender', 'addSender', 'approveSender', 'rejectSender', 'blockSender'],
  ...['listWebhooks', 'showWebhook', 'addWebhook', 'setWebhook', 'removeWebhook', 'rotateWebhookSecret'],
  ...['testWebhook', 'replayWebhook', 'listDeliveries'],
  ...['listParked', 'showParked', 'retryParked', 'dropParked', 'showNow'],
  ...['showUsage', 'compareLedger', 'acknowledgeLedger'],
  ...['listRules', 'enableRule', 'disableRule', 'listHeld', 'releaseHeld', 'refuseHeld', 'listWorkers'],
  ...['listAudit', 'showAudit', 'verifyAudit'],
] as const
