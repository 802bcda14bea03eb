// Loaded before the command (`--import`): makes it look like another container or machine.
import { createRequire, syncBuiltinESMExports } from 'node:module';

const os = createRequire(import.meta.url)('node:os');
os.hostname = () => 'elsewhere';
syncBuiltinESMExports();
