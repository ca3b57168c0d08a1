const PATHS = {
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14',
  replay: 'M3 8a5 5 0 1 1 1.6 3.7M3 12.5V9.5h3',
  edit: 'M3 13l.6-2.9L10.9 2.8a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L5.9 12.4 3 13Z',
  copy: 'M5.5 5.5v-2a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-2M3.5 5.5h6a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1h-6a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1Z',
  back: 'M10 3 5 8l5 5',
  close: 'M4 4l8 8M12 4l-8 8',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11V2.5Zm0 0a5.5 5.5 0 0 1 0 11',
  light:
    'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.8v1M8 13.2v1M1.8 8h1M13.2 8h1M3.6 3.6l.7.7M11.7 11.7l.7.7M3.6 12.4l.7-.7M11.7 4.3l.7-.7',
  dark: 'M13 9.6A5.6 5.6 0 0 1 6.4 3a5.4 5.4 0 1 0 6.6 6.6Z',
  help: 'M6 6a2 2 0 1 1 2.9 1.8c-.6.3-.9.7-.9 1.4M8 11.8v.1',
  down: 'M4 6l4 4 4-4',
  out: 'M6 4H3.5a1 1 0 0 0-1 1v7.5a1 1 0 0 0 1 1H11a1 1 0 0 0 1-1V10M9 2.5h4.5V7M13.3 2.7 7.5 8.5',
  up: 'M8 13V3M4 7l4-4 4 4',
} as const

export const Icon = ({name}: {name: keyof typeof PATHS}) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

/** Three calls and the deadline. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 20 20" aria-hidden="true">
    <path class="mark-calls" d="M3 5.5h6M3 10h10M3 14.5h4" />
    <path class="mark-deadline" d="M16.5 2.5v15" />
  </svg>
)
