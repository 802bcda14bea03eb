// Loaded before the command (`--import`): it runs in another container, or on another machine.
import { createRequire, syncBuiltinESMExports } from 'node:module';

const os = createRequire(import.meta.url)('node:os');
os.hostname = () => 'elsewhere';
syncBuiltinESMExports();
