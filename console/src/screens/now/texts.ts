import { defineTexts } from '../../texts/texts.ts'

export const nowTexts = defineTexts(
  {
    title: 'Now',
    flowing: 'Traffic is flowing',
    idle: 'No traffic',
    attention: 'Needs attention',
    standing: 'Messages are lost or stuck',
    readAt: 'As of',
    alarmsTitle: 'Alarms',
    critical: 'Critical',
    warning: 'Warning',
    open: 'Open',
    rates: 'Rates',
    accepted: 'Accepted',
    submitted: 'Submitted',
    delivered: 'Delivered',
    failed: 'Failed because of routes',
    perSecond: '/s',
    partsPerSecond: 'parts/s',
    nowMeasured: 'last 10 seconds',
    lastMinute: 'last full minute',
    lastMinutes: 'last two minutes',
    ages: 'Oldest message',
    'age-open': 'Open',
    'age-waiting': 'Waiting for a route',
    'age-overdue': 'Past its deadline',
    'age-parked': 'Parked',
    none: 'none',
    flow: 'Message flow',
    legend:
      'Line thickness shows the rate. Tank level shows the backlog on a logarithmic scale: 100,000 messages fill it.',
    moreRoutes: (count: number) =>
      count === 1 ? '1 more route is enabled.' : `${count} more routes are enabled.`,
    waits: (count: string) => `${count} waiting`,
    healthy: 'healthy',
    slow: 'slow',
    'stage-accept': 'Accept',
    'stage-intake': 'Intake',
    'stage-waiting': 'Schedule',
    'stage-dispatch': 'Dispatch',
    'stage-carriers': 'Carriers',
    'stage-receipts': 'Receipts',
    'stage-reports': 'Reports',
    parts: 'Links and processes',
    routes: 'Route shares that accept messages',
    disabledRoutes: (count: number) => (count === 1 ? '1 route is disabled' : `${count} routes are disabled`),
    workers: 'Workers running',
    silentWorkers: (count: number) => `${count} stopped unexpectedly`,
    partitions: (count: number) => `${count} of 32 partitions have no owner`,
    webhooks: 'Webhooks not failing',
    disabledWebhooks: (count: number) => `${count} disabled after failures`,
    of: (count: string, total: string) => `${count} of ${total}`,
    allWell: 'all',
    database: 'PostgreSQL response time',
    readIn: (ms: string) => `${ms} ms`,
    locked: (count: string) => (count === '1' ? '1 statement waits' : `${count} statements wait`),
    lockedFor: (age: string) => `for a lock, longest ${age}`,
  },
  {
    title: '현황',
    flowing: '정상 처리 중',
    idle: '발송 없음',
    attention: '확인 필요',
    standing: '메시지 유실 또는 정체',
    readAt: '기준 시각',
    alarmsTitle: '알람',
    critical: '심각',
    warning: '주의',
    open: '열기',
    rates: '처리율',
    accepted: '접수',
    submitted: '제출',
    delivered: '전달',
    failed: '라우트로 인한 실패',
    perSecond: '/초',
    partsPerSecond: '파트/초',
    nowMeasured: '최근 10초',
    lastMinute: '지난 1분',
    lastMinutes: '최근 2분',
    ages: '가장 오래된 메시지',
    'age-open': '미완료',
    'age-waiting': '라우트 대기',
    'age-overdue': '기한 초과',
    'age-parked': '격리 작업',
    none: '없음',
    flow: '메시지 흐름',
    legend: '선의 굵기는 처리율, 탱크의 높이는 대기량입니다(로그 눈금, 100,000건이면 가득 참).',
    moreRoutes: (count) => `사용 중인 라우트가 ${count}개 더 있습니다.`,
    waits: (count) => `${count}건 대기`,
    healthy: '정상',
    slow: '지연',
    'stage-accept': '접수',
    'stage-intake': '기록',
    'stage-waiting': '스케줄링',
    'stage-dispatch': '발송',
    'stage-carriers': '통신사',
    'stage-receipts': '수신 결과',
    'stage-reports': '리포트',
    parts: '연결과 프로세스',
    routes: '메시지를 받는 라우트 할당',
    disabledRoutes: (count) => `사용 중지된 라우트 ${count}개`,
    workers: '실행 중인 워커',
    silentWorkers: (count) => `비정상 종료된 워커 ${count}개`,
    partitions: (count) => `파티션 32개 중 ${count}개에 담당 워커가 없음`,
    webhooks: '정상 전송 중인 웹훅',
    disabledWebhooks: (count) => `실패로 중지된 웹훅 ${count}개`,
    of: (count, total) => `${total}개 중 ${count}개`,
    allWell: '전체',
    database: 'PostgreSQL 응답 시간',
    readIn: (ms) => `${ms}ms`,
    locked: (count) => `${count}개 구문 대기`,
    lockedFor: (age) => `잠금 대기, 최장 ${age}`,
  },
)

interface AlarmText {
  readonly title: string
  readonly action: string
}

/**
 * Korean titles and advice of API alarms by ID. The English text of the API, which contains the figures, is shown below the
 * title.
 */
export const alarmTexts: Readonly<Record<string, AlarmText>> = {
  'ledger-gap': {
    title: '원장에 차이가 있습니다',
    action: '어느 계정과 날짜인지 원장에서 확인하세요. 업그레이드 중의 일시적인 차이는 사라집니다.',
  },
  'ledger-unrecorded': {
    title: '접수 확인 후 기록되지 않은 메시지가 있습니다',
    action: '원장에서 대상을 확인하고 고객에게 알린 뒤 차이를 승인하세요.',
  },
  'ledger-unchecked': {
    title: '원장이 최근에 확인되지 않았습니다',
    action: '워커 로그를 확인하세요. 워커 하나가 30초마다 원장을 확인합니다.',
  },
  'broker-unavailable': {
    title: 'RabbitMQ가 응답하지 않아 발송이 거부됩니다',
    action: 'RabbitMQ 노드가 실행 중인지, 디스크와 메모리 경보가 있는지 확인하세요.',
  },
  'no-worker': {
    title: '실행 중인 워커가 없어 접수된 메시지가 대기합니다',
    action: '`postern worker`를 시작하세요. 다시 종료되면 로그를 확인하세요.',
  },
  'partitions-without-owner': {
    title: '담당 워커가 없는 파티션이 있습니다',
    action: '10초 넘게 지속되면 워커 로그를 확인하세요.',
  },
  'intake-behind': {
    title: '접수된 메시지의 기록이 밀려 있습니다',
    action: 'PostgreSQL을 확인하고, 여유가 있으면 워커를 늘리세요.',
  },
  overdue: {
    title: '기한이 지났는데 끝나지 않은 단계가 있습니다',
    action: '워커 로그를 확인하세요. 워커 하나가 매초 이런 단계를 끝냅니다.',
  },
  'oldest-message': {
    title: '오래된 미완료 메시지가 있습니다',
    action: '메시지를 열어 무엇을 기다리는지 확인하세요.',
  },
  parked: {
    title: '처리하지 못해 격리된 작업이 있습니다',
    action: '사유를 확인하고 재시도하거나 폐기하세요.',
  },
  'database-locked': {
    title: 'PostgreSQL이 느립니다: 구문이 잠금을 기다립니다',
    action:
      'pg_stat_activity에서 잠금을 가진 프로세스를 확인하고, 필요 없으면 pg_terminate_backend로 종료하세요. 접수된 메시지는 RabbitMQ에서 대기하며 유실되지 않습니다.',
  },
  'database-slow': {
    title: 'PostgreSQL이 느립니다',
    action:
      'CPU, 디스크, 연결 수와 pg_stat_activity의 오래 걸리는 구문을 확인하세요. 같은 연결을 사용하므로 운영자의 긴 검색도 이 수치를 늦출 수 있습니다.',
  },
  'route-failing': {
    title: '실패가 많은 라우트가 있습니다',
    action: '라우트를 열어 코드와 번호 대역을 확인하고, 코드와 함께 통신사에 문의하세요.',
  },
  unserved: {
    title: '처리할 라우트가 없어 발송되지 않은 메시지가 있습니다',
    action: '메시지를 열면 라우트마다 이유가 표시됩니다. 라우트의 최근 변경을 확인하세요.',
  },
  'route-slow': {
    title: '느린 라우트가 있어 메시지가 대기합니다',
    action:
      '라우트를 열어 원인을 확인하세요. 다른 라우트로 발송할 수 있으면 라우트를 비우고 통신사에 문의하세요.',
  },
  'account-burst': {
    title: '한 계정이 대량으로 발송하고 있습니다',
    action:
      '유실은 없으며 계정별로 차례대로 처리합니다. 고객에게 예상 시간을 알리고, 필요하면 발송 한도를 낮추거나 대량 레인을 사용하세요.',
  },
  'no-route': {
    title: '메시지를 받는 라우트가 없습니다',
    action: '라우트를 확인하세요. 메시지는 대기합니다.',
  },
  'route-unhealthy': {
    title: '메시지를 받지 않는 라우트가 있습니다',
    action: '라우트를 확인하세요. 메시지는 다른 라우트로 가거나 대기합니다.',
  },
  'webhooks-failing': {
    title: '전송에 실패하는 웹훅이 있습니다',
    action: '최근 시도를 확인하고 고객에게 알리세요. 리포트는 폴링으로 계속 받을 수 있습니다.',
  },
  'webhooks-disabled': {
    title: '전송 실패로 중지된 웹훅이 있습니다',
    action: '고객에게 알리고, 수신 서버가 복구되면 다시 켜고 누락분을 재전송하세요.',
  },
}
