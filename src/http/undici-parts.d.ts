// undici has no exports map; its parts are imported one by one because the whole takes three times as long to load.
// Deep paths are not covered by its versioning, so the dependency is pinned exactly.
declare module 'undici/lib/dispatcher/agent.js' {
  import {Agent} from 'undici'
  export = Agent
}
