export { ElicitationCard } from './elicitation/card';
