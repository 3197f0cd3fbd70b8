// Each message of a chat page: what it does, and what it doesn't do in a folder that isn't trusted, without a session, while the agent works, and with
// hostile arguments.
import { playAll } from './playAll';
import { allMessages } from './table';

playAll(allMessages());
